# with policy: compile_error/forbidden_import
# without policy: memory_limit_exceeded | run_time_error/crashed | time_limit_exceeded/wall
# why: Without Python's count it is memory or the C stack that ends.
# layers: rlimits, deadline
import sys
import torch


def forever(n):
    return forever(n + 1)


def scaled_dot_product_attention(Q, K, V):
    sys.setrecursionlimit(10**9)
    forever(0)
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
