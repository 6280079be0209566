# with policy: compile_error/forbidden_import
# without policy: run_time_error/exception
# why: No compiler, no file, no process.
# layers: policy, seccomp, landlock
import torch


def attack():
    from torch.utils.cpp_extension import load_inline

    load_inline("tensorgrade_escape", "int f() { return 1; }", functions=["f"])


def scaled_dot_product_attention(Q, K, V):
    attack()
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
