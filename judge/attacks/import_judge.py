# with policy: compile_error/forbidden_import
# without policy: run_time_error/exception
# why: The comparison cannot be imported: its file is not there.
# layers: policy, seccomp, landlock, bubblewrap
import torch


def attack():
    import judge.compare

    judge.compare.within


def scaled_dot_product_attention(Q, K, V):
    attack()
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
