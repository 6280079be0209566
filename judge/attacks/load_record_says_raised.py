# with policy: compile_error/forbidden_import
# without policy: run_time_error/exception
# why: A forged exception without a text.
# layers: outside
import struct
import sys
import torch


def scaled_dot_product_attention(Q, K, V):
    region = sys._getframe(1).f_locals["region"]
    region.put_record = region.add_to_record = lambda *a, **k: None
    struct.pack_into("<IIId", region._memory, 0, 4, 0, 0, 0.0)
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
