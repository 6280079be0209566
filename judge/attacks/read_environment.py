# with policy: compile_error/forbidden_import
# without policy: run_time_error/exception
# why: The environment is clean: nothing of the server's is in it.
# layers: policy, descriptors
import os

import torch


def attack():
    if not any("TENSORGRADE" in name for name in os.environ):
        raise LookupError("nothing of the server's")


def scaled_dot_product_attention(Q, K, V):
    attack()
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
