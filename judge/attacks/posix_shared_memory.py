# with policy: compile_error/forbidden_import
# without policy: run_time_error/exception
# why: Shared memory by name outlives its process.
# layers: policy, seccomp, landlock, bubblewrap
import _posixshmem
import os

import torch


def attack():
    _posixshmem.shm_open("/tensorgrade-escape", os.O_CREAT | os.O_RDWR, mode=0o666)


def scaled_dot_product_attention(Q, K, V):
    attack()
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
