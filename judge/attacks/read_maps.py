# with policy: compile_error/forbidden_name | compile_error/forbidden_construct
# without policy: run_time_error/exception
# why: /proc/self/maps would show where the output region lies.
# layers: policy, seccomp, landlock, bubblewrap
import torch


def attack():
    open("/proc/self/maps").read()


def scaled_dot_product_attention(Q, K, V):
    attack()
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
