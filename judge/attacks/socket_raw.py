# with policy: compile_error/forbidden_import
# without policy: run_time_error/exception
# why: No raw packets.
# layers: policy, seccomp, identity
import socket

import torch


def attack():
    socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)


def scaled_dot_product_attention(Q, K, V):
    attack()
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
