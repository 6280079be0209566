# with policy: compile_error/forbidden_import
# without policy: run_time_error/exception
# why: Other children cannot be found.
# layers: policy, seccomp, landlock, bubblewrap
import os

import torch


def attack():
    if not [name for name in os.listdir("/proc") if name.isdecimal()]:
        raise LookupError("nobody here")


def scaled_dot_product_attention(Q, K, V):
    attack()
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
