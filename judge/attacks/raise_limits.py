# with policy: compile_error/forbidden_import
# without policy: run_time_error/exception
# why: Hard limits stay.
# layers: policy, seccomp, rlimits
import resource

import torch


def attack():
    resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


def scaled_dot_product_attention(Q, K, V):
    attack()
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
