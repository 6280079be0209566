# verdict: wrong_answer/wrong_shape
# why: 4 bytes that would become 4 TB are counted before they are copied.
# layers: outside
import torch


def scaled_dot_product_attention(Q, K, V):
    return torch.zeros(1).expand(10**6, 10**6)
