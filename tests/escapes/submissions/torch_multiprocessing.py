# with policy: compile_error/forbidden_import
# without policy: run_time_error/exception
# why: torch's own way to start processes starts none.
# layers: policy, seccomp, rlimits
import torch.multiprocessing

import torch


def attack():
    torch.multiprocessing.start_processes(int, nprocs=1, start_method="fork")


def scaled_dot_product_attention(Q, K, V):
    attack()
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
