# with policy: compile_error/forbidden_import
# without policy: run_time_error/exception
# why: Pools of threads start none.
# layers: policy, seccomp, rlimits
from concurrent.futures import ThreadPoolExecutor

import torch


def attack():
    ThreadPoolExecutor(4).submit(int).result()


def scaled_dot_product_attention(Q, K, V):
    attack()
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
