# with policy: compile_error/forbidden_import
# without policy: run_time_error/crashed
# why: A frame without bytes looks like hanging up.
# layers: outside
import socket
import torch


def scaled_dot_product_attention(Q, K, V):
    end = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET, 0, fileno=3)
    end.send(b"")
    end.detach()
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
