# with policy: compile_error/forbidden_import
# without policy: run_time_error/exception
# why: An abstract socket would be a name that other submissions can find.
# layers: policy, seccomp
import socket

import torch


def attack():
    socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).bind("\0tensorgrade-escape")


def scaled_dot_product_attention(Q, K, V):
    attack()
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
