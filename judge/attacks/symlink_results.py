# with policy: compile_error/forbidden_import
# without policy: run_time_error/exception
# why: A link in the place of a result would make the server read another file; results are no files here.
# layers: policy, seccomp, landlock, bubblewrap
import os

import torch


def attack():
    os.symlink("/etc/passwd", "/tmp/tensorgrade-escape")


def scaled_dot_product_attention(Q, K, V):
    attack()
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
