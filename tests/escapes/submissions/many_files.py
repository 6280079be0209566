# with policy: compile_error/forbidden_name | compile_error/forbidden_construct
# without policy: run_time_error/exception
# why: No file can be made, however small.
# layers: policy, seccomp, landlock, bubblewrap
import torch


def attack():
    for number in range(1000):
        open(f"/tmp/tensorgrade-escape-{number}", "x").close()


def scaled_dot_product_attention(Q, K, V):
    attack()
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
