# with policy: compile_error/forbidden_import
# without policy: run_time_error/exception
# why: A signal handler would run inside the serving code after the call.
# layers: policy, seccomp
import signal

import torch


def attack():
    signal.setitimer(signal.ITIMER_REAL, 5)


def scaled_dot_product_attention(Q, K, V):
    attack()
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
