# with policy: compile_error/forbidden_import
# without policy: run_time_error/exception
# why: Standard input is empty.
# layers: policy, descriptors
import os

import torch


def attack():
    if not os.read(0, 100):
        raise EOFError("nothing to read")


def scaled_dot_product_attention(Q, K, V):
    attack()
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
