# verdict: time_limit_exceeded/wall | memory_limit_exceeded
# why: Integers with a hundred million digits.
# layers: deadline, rlimits
import torch


def scaled_dot_product_attention(Q, K, V):
    9**9**9
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
