# verdict: wrong_answer/wrong_shape
# why: No elements at all.
# layers: outside
import torch


def scaled_dot_product_attention(Q, K, V):
    return torch.empty(0)
