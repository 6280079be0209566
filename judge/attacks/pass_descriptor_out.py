# with policy: compile_error/forbidden_import
# without policy: run_time_error/exception
# why: Only bytes may leave on descriptor 3: sending a descriptor needs sendmsg.
# layers: policy, seccomp
import array
import socket

import torch


def attack():
    end = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET, 0, fileno=3)
    try:
        end.sendmsg([b"D\1\0\0\0"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [0]))])
    finally:
        end.detach()


def scaled_dot_product_attention(Q, K, V):
    attack()
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
