# with policy: compile_error/forbidden_name | compile_error/forbidden_construct
# without policy: run_time_error/exception
# why: Devices cannot be opened; random numbers come from a call.
# layers: policy, seccomp, landlock
import torch


def attack():
    open("/dev/urandom", "rb").read(8)


def scaled_dot_product_attention(Q, K, V):
    attack()
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
