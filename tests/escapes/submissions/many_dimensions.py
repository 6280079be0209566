# verdict: wrong_answer/wrong_shape | wrong_answer/wrong_type
# why: More dimensions than a record holds.
# layers: outside
import torch


def scaled_dot_product_attention(Q, K, V):
    return torch.zeros([1] * 30)
