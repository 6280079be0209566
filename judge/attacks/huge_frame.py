# with policy: compile_error/forbidden_import
# without policy: run_time_error/crashed
# why: A frame of 100 KB is read up to its sixth byte.
# layers: outside
import os
import torch


def scaled_dot_product_attention(Q, K, V):
    os.write(3, b"D" * 100_000)
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
