# with policy: compile_error/forbidden_import
# without policy: run_time_error/exception
# why: Descriptors that wake others or outlive a call are not made.
# layers: policy, seccomp
import os

import torch


def attack():
    os.eventfd(0)


def scaled_dot_product_attention(Q, K, V):
    attack()
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
