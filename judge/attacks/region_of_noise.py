# with policy: compile_error/forbidden_import
# without policy: run_time_error/crashed
# why: Random bytes in the whole head of the region.
# layers: outside
import os
import sys
import torch


def scaled_dot_product_attention(Q, K, V):
    region = sys._getframe(1).f_locals["region"]
    region.put_record = region.add_to_record = lambda *a, **k: None
    region._memory[: 1 << 20] = os.urandom(1 << 20)
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
