# with policy: compile_error/forbidden_import
# without policy: run_time_error/exception
# why: No process can be started.
# layers: policy, seccomp, rlimits
import os

import torch


def attack():
    os.posix_spawn("/bin/true", ["true"], {})


def scaled_dot_product_attention(Q, K, V):
    attack()
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
