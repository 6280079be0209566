# with policy: compile_error/forbidden_import
# without policy: run_time_error/exception
# why: A lock on a shared file would be a message to other submissions.
# layers: policy, seccomp
import fcntl

import torch


def attack():
    fcntl.flock(0, fcntl.LOCK_EX)


def scaled_dot_product_attention(Q, K, V):
    attack()
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
