# verdict: wrong_answer/wrong_shape
# why: 16 MB where 24 bytes are expected.
# layers: outside
import torch


def scaled_dot_product_attention(Q, K, V):
    return torch.zeros(1 << 22)
