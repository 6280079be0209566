# with policy: compile_error/forbidden_import
# without policy: run_time_error/exception
# why: Another program would run without our limits on time and output; success would end the process.
# layers: policy, seccomp, landlock
import os

import torch


def attack():
    os.execv("/bin/true", ["true"])


def scaled_dot_product_attention(Q, K, V):
    attack()
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
