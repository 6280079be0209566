# with policy: compile_error/forbidden_import
# without policy: run_time_error/crashed
# why: ARMED means nothing after the start.
# layers: outside
import os
import struct
import torch


def scaled_dot_product_attention(Q, K, V):
    os.write(3, struct.pack("<cI", b"R", 0))
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
