# with policy: compile_error/forbidden_import
# without policy: run_time_error/exited | run_time_error/crashed
# why: Leaving is leaving, with whatever status.
# layers: outside
import os
import torch


def scaled_dot_product_attention(Q, K, V):
    os.close(3)
    os._exit(0)
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
