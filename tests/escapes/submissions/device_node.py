# with policy: compile_error/forbidden_import
# without policy: run_time_error/exception
# why: No device can be made.
# layers: policy, seccomp, landlock, bubblewrap, identity
import os
import stat

import torch


def attack():
    os.mknod("/tmp/tensorgrade-escape", stat.S_IFCHR | 0o666, os.makedev(1, 3))


def scaled_dot_product_attention(Q, K, V):
    attack()
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
