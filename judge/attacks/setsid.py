# with policy: compile_error/forbidden_import
# without policy: run_time_error/exception
# why: A session of its own would take the process out of reach of group signals; the call is refused.
# layers: policy, seccomp
import os

import torch


def attack():
    os.setsid()


def scaled_dot_product_attention(Q, K, V):
    attack()
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
