# with policy: compile_error/forbidden_import
# without policy: run_time_error/crashed
# why: A shape whose size overflows is beyond every room.
# layers: outside
import struct
import sys
import torch


def scaled_dot_product_attention(Q, K, V):
    region = sys._getframe(1).f_locals["region"]
    region.put_record = region.add_to_record = lambda *a, **k: None
    for index in range(2):
        struct.pack_into("<4IQd5I8Q", region._memory, 64 + 128 * index, 1, 1, 8, 0, 0, 0.0, 0, 0, 0, 0, 0, *[2**63] * 8)
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
