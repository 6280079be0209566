# verdict: run_time_error/exception | time_limit_exceeded/wall
# why: Converting a long integer takes quadratic time, and Python refuses it.
# layers: outside, deadline
import torch


def scaled_dot_product_attention(Q, K, V):
    str(7 ** 10**6)
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
