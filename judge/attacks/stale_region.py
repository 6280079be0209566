# with policy: compile_error/forbidden_import
# without policy: run_time_error/exception
# why: The output region is fresh: nothing of an earlier submission is in it.
# layers: outside
import sys
import torch


def scaled_dot_product_attention(Q, K, V):
    memory = sys._getframe(1).f_locals["region"]._memory
    if memory[-(1 << 22):].strip(b"\0") or memory[1 << 20 : 1 << 22].strip(b"\0"):
        return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
    raise LookupError("nothing stale")
