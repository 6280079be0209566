# with policy: compile_error/forbidden_import
# without policy: run_time_error/crashed
# why: Closing descriptor 3 is leaving.
# layers: outside
import os
import time
import torch


def scaled_dot_product_attention(Q, K, V):
    os.close(3)
    time.sleep(1000)
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
