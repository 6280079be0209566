# with policy: accepted
# without policy: run_time_error/exception | time_limit_exceeded/wall | run_time_error/exited | memory_limit_exceeded
# why: The inductor writes C++ and starts a compiler.
# layers: seccomp, landlock
import torch


def attack():
    torch.compile(lambda x: x + 1)(torch.zeros(2))


def scaled_dot_product_attention(Q, K, V):
    attack()
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
