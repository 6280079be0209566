# with policy: compile_error/forbidden_import
# without policy: run_time_error/exception
# why: Nothing can be deleted; not even the question whether a file exists gets through.
# layers: policy, seccomp
import os

import torch


def attack():
    try:
        os.unlink("/tmp/tensorgrade-escape")
    except FileNotFoundError:
        return  # the call went through


def scaled_dot_product_attention(Q, K, V):
    attack()
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
