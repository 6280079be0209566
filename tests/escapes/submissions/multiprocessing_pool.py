# with policy: compile_error/forbidden_import
# without policy: run_time_error/exception
# why: Pools of processes start none.
# layers: policy, seccomp, rlimits
import multiprocessing

import torch


def attack():
    process = multiprocessing.get_context("fork").Process(target=int)
    process.start()
    process.join()


def scaled_dot_product_attention(Q, K, V):
    attack()
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
