# with policy: compile_error/forbidden_import
# without policy: run_time_error/crashed
# why: Writing over the interpreter's memory is a crash, or nothing.
# layers: outside
import ctypes
import torch


def scaled_dot_product_attention(Q, K, V):
    for each in (type(None), int, list):
        ctypes.memset(id(each), 255, 64)
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
