# with policy: compile_error/forbidden_import
# without policy: run_time_error/exception
# why: No shell can be started; -1 is a refusal, not a success.
# layers: policy, seccomp, rlimits
import os

import torch


def attack():
    if os.system("true") != 0:
        raise PermissionError("no shell")


def scaled_dot_product_attention(Q, K, V):
    attack()
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
