# with policy: compile_error/forbidden_import
# without policy: run_time_error/exception
# why: A thread would outlive the call and write into later results; none can be started.
# layers: policy, seccomp, rlimits
import threading

import torch


def attack():
    thread = threading.Thread(target=print)
    thread.start()
    thread.join()


def scaled_dot_product_attention(Q, K, V):
    attack()
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
