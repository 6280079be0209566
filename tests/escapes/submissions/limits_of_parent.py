# with policy: compile_error/forbidden_import
# without policy: run_time_error/exception
# why: Other processes' limits are not ours to set.
# layers: policy, seccomp
import os
import resource

import torch


def attack():
    parent = os.getppid()
    resource.prlimit(parent if parent > 0 else 1, resource.RLIMIT_NOFILE, (0, 0))


def scaled_dot_product_attention(Q, K, V):
    attack()
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
