# with policy: compile_error/forbidden_import
# without policy: run_time_error/exited
# why: Exit status 0 is no verdict.
# layers: outside
import os
import torch


def scaled_dot_product_attention(Q, K, V):
    os._exit(0)
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
