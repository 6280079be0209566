# verdict: run_time_error/exception
# why: Python counts its own depth.
# layers: outside
import torch


def forever(n):
    return forever(n + 1)


def scaled_dot_product_attention(Q, K, V):
    forever(0)
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
