# with policy: compile_error/forbidden_import
# without policy: run_time_error/exception
# why: kill(-1) would reach every process of the same user.
# layers: policy, seccomp
import os
import signal

import torch


def attack():
    os.kill(-1, signal.SIGCONT)


def scaled_dot_product_attention(Q, K, V):
    attack()
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
