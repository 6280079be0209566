# with policy: compile_error/forbidden_import
# without policy: time_limit_exceeded/wall
# why: A stopped process is late like a busy one.
# layers: deadline
import signal
import torch


def scaled_dot_product_attention(Q, K, V):
    signal.raise_signal(signal.SIGSTOP)
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
