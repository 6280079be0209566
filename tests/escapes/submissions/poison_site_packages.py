# with policy: compile_error/forbidden_name | compile_error/forbidden_construct
# without policy: run_time_error/exception
# why: A module left behind would run in the next zygote.
# layers: policy, seccomp, landlock, bubblewrap
import torch


def attack():
    open(torch.__file__.replace("torch/__init__.py", "tensorgrade-escape.pth"), "w").write("import os")


def scaled_dot_product_attention(Q, K, V):
    attack()
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
