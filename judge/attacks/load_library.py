# with policy: compile_error/forbidden_import
# without policy: run_time_error/exception
# why: A library from disk would be code that nobody read.
# layers: policy, seccomp, landlock
import ctypes

import torch


def attack():
    ctypes.CDLL("/usr/lib/tensorgrade-escape.so")


def scaled_dot_product_attention(Q, K, V):
    attack()
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
