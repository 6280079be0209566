# with policy: compile_error/forbidden_name | compile_error/forbidden_construct
# without policy: run_time_error/exception
# why: numpy's readers open files too.
# layers: policy, seccomp, landlock, bubblewrap
import numpy

import torch


def attack():
    numpy.fromfile("/etc/passwd", dtype="u1")


def scaled_dot_product_attention(Q, K, V):
    attack()
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
