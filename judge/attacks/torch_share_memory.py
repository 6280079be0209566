# with policy: compile_error/forbidden_name | compile_error/forbidden_construct
# without policy: run_time_error/exception | accepted
# why: A tensor moved into shared memory makes a file in /dev/shm.
# layers: policy, seccomp
import torch


def attack():
    torch.zeros(4).share_memory_()


def scaled_dot_product_attention(Q, K, V):
    attack()
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
