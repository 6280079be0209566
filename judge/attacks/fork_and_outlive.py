# with policy: compile_error/forbidden_import
# without policy: run_time_error/exception
# why: A grandchild would outlive the kill of its parent; there is none.
# layers: policy, seccomp, rlimits
import os
import time

import torch


def attack():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(5)
        os._exit(0)


def scaled_dot_product_attention(Q, K, V):
    attack()
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
