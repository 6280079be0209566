# verdict: wrong_answer/wrong_shape
# why: A number in a tensor.
# layers: outside
import torch


def scaled_dot_product_attention(Q, K, V):
    return torch.tensor(1.0)
