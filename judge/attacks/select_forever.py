# with policy: compile_error/forbidden_import
# without policy: run_time_error/exception | time_limit_exceeded/wall
# why: select is not allowed.
# layers: seccomp, deadline
import select
import torch


def scaled_dot_product_attention(Q, K, V):
    select.select([], [], [])
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
