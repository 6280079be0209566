# with policy: compile_error/forbidden_import
# without policy: run_time_error/exception
# why: The kernel's cipher sockets are a favourite of exploits.
# layers: policy, seccomp
import socket

import torch


def attack():
    socket.socket(38, socket.SOCK_SEQPACKET, 0)


def scaled_dot_product_attention(Q, K, V):
    attack()
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
