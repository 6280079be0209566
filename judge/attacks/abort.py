# with policy: compile_error/forbidden_import
# without policy: run_time_error/crashed
# why: abort() is a crash.
# layers: outside
import os
import torch


def scaled_dot_product_attention(Q, K, V):
    os.abort()
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
