# with policy: compile_error/forbidden_name | compile_error/forbidden_construct
# without policy: run_time_error/exception
# why: The clock is not ours.
# layers: policy, seccomp, identity
import time

import torch


def attack():
    time.clock_settime(time.CLOCK_REALTIME, time.time())


def scaled_dot_product_attention(Q, K, V):
    attack()
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
