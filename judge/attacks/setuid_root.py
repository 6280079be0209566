# with policy: compile_error/forbidden_import
# without policy: run_time_error/exception
# why: Root is given up for good.
# layers: policy, seccomp, identity
import os

import torch


def attack():
    os.setresuid(0, 0, 0)


def scaled_dot_product_attention(Q, K, V):
    attack()
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
