# with policy: compile_error/forbidden_import
# without policy: run_time_error/crashed
# why: DONE without a record: no case is right because the child says so.
# layers: outside, deadline
import os
import struct
import time
import torch


def scaled_dot_product_attention(Q, K, V):
    os.write(3, struct.pack("<cI", b"D", 2))
    time.sleep(1000)
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
