# verdict: time_limit_exceeded/wall
# why: A loop in C holds the interpreter; the kill comes from outside.
# layers: deadline
import torch


def scaled_dot_product_attention(Q, K, V):
    sum(range(10**12))
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
