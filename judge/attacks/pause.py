# with policy: compile_error/forbidden_import
# without policy: time_limit_exceeded/wall | run_time_error/exception | accepted
# why: Waiting for a signal is not allowed, and the clock runs.
# layers: seccomp, deadline
import signal
import torch


def scaled_dot_product_attention(Q, K, V):
    signal.pause()
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
