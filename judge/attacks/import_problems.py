# with policy: compile_error/forbidden_import
# without policy: run_time_error/exception
# why: The package reader, and with it the reference, cannot be imported.
# layers: policy, seccomp, landlock, bubblewrap
import torch


def attack():
    import problems.reading

    problems.reading.load_problem


def scaled_dot_product_attention(Q, K, V):
    attack()
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
