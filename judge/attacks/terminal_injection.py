# with policy: compile_error/forbidden_import
# without policy: run_time_error/exception
# why: ioctl would push characters into a terminal.
# layers: policy, seccomp
import fcntl
import termios

import torch


def attack():
    fcntl.ioctl(0, termios.FIONREAD, bytes(4))


def scaled_dot_product_attention(Q, K, V):
    attack()
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
