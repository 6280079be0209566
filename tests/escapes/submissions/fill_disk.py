# with policy: compile_error/forbidden_name | compile_error/forbidden_construct
# without policy: run_time_error/exception
# why: No file can grow.
# layers: policy, seccomp, landlock, bubblewrap
import torch


def attack():
    with open("/var/tmp/tensorgrade-escape", "wb") as file:
        for _ in range(64):
            file.write(bytes(1 << 20))


def scaled_dot_product_attention(Q, K, V):
    attack()
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
