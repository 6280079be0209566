# with policy: compile_error/forbidden_import
# without policy: run_time_error/exception
# why: A daemon thread would change outputs after they were returned.
# layers: policy, seccomp, rlimits
import threading
import time

import torch


def spoil():
    while True:
        time.sleep(0.001)


def attack():
    threading.Thread(target=spoil, daemon=True).start()


def scaled_dot_product_attention(Q, K, V):
    attack()
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
