# with policy: compile_error/forbidden_import
# without policy: run_time_error/exception
# why: A pidfd would be a handle on another process.
# layers: policy, seccomp
import os

import torch


def attack():
    parent = os.getppid()
    os.pidfd_open(parent if parent > 0 else 1)


def scaled_dot_product_attention(Q, K, V):
    attack()
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
