# with policy: compile_error/forbidden_import
# without policy: run_time_error/crashed
# why: What has not the size of a tick is no tick.
# layers: outside
import os
import torch


def scaled_dot_product_attention(Q, K, V):
    os.write(3, b"\xff" * 17)
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
