# with policy: compile_error/forbidden_import
# without policy: run_time_error/crashed | memory_limit_exceeded | time_limit_exceeded/wall
# why: Recursion through C code overflows the stack: a crash, not a lie.
# layers: outside
import sys
import torch


class Deep:
    def __getattr__(self, name):
        return getattr(self, name + "x")


def scaled_dot_product_attention(Q, K, V):
    sys.setrecursionlimit(10**9)
    Deep().x
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
