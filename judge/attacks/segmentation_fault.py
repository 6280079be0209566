# with policy: compile_error/forbidden_import
# without policy: run_time_error/crashed
# why: A crash is a verdict.
# layers: outside
import ctypes
import torch


def scaled_dot_product_attention(Q, K, V):
    ctypes.string_at(0)
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
