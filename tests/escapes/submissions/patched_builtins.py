# with policy: compile_error/forbidden_import
# without policy: wrong_answer/values_differ | run_time_error/exception | run_time_error/exited
# why: isinstance, type and all() that always agree.
# layers: outside
import builtins
import torch


def scaled_dot_product_attention(Q, K, V):
    builtins.all = builtins.isinstance = lambda *a: True
    builtins.abs = lambda x: 0
    return torch.ones(*Q.shape[:-1], V.shape[-1])
