# with policy: compile_error/forbidden_import
# without policy: run_time_error/exited | time_limit_exceeded/wall | run_time_error/crashed
# why: Nor is C's exit, exit handlers and all.
# layers: outside
import ctypes
import torch


def scaled_dot_product_attention(Q, K, V):
    ctypes.CDLL(None).exit(0)
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
