# with policy: compile_error/forbidden_name | compile_error/forbidden_construct
# without policy: run_time_error/exception
# why: Workers of a DataLoader are processes.
# layers: policy, seccomp, rlimits
import torch
import torch.utils.data


def attack():
    list(torch.utils.data.DataLoader([torch.zeros(1)], num_workers=1))


def scaled_dot_product_attention(Q, K, V):
    attack()
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
