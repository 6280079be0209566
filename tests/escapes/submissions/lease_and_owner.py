# with policy: compile_error/forbidden_import
# without policy: run_time_error/exception
# why: fcntl on what is open is refused: no locks, leases, owners of signals.
# layers: policy, seccomp
import fcntl

import torch


def attack():
    fcntl.fcntl(0, fcntl.F_GETFL)


def scaled_dot_product_attention(Q, K, V):
    attack()
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
