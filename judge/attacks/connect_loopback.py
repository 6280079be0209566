# with policy: compile_error/forbidden_import
# without policy: run_time_error/exception
# why: Services on the same machine are out of reach.
# layers: policy, seccomp, landlock, bubblewrap
import socket

import torch


def attack():
    socket.create_connection(("127.0.0.1", 80), timeout=0.1)


def scaled_dot_product_attention(Q, K, V):
    attack()
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
