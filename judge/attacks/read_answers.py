# with policy: compile_error/forbidden_import
# without policy: run_time_error/exception | time_limit_exceeded/wall
# why: No answer is in reach of the jail, whatever directory is searched.
# layers: policy, seccomp, landlock, bubblewrap
import os

import torch


def attack():
    for folder, _, files in os.walk("/"):
        if folder.startswith(("/proc", "/sys")):
            continue
        for name in files:
            if name.endswith(".ans.safetensors"):
                open(os.path.join(folder, name), "rb").read()
                return
    raise FileNotFoundError("no answer anywhere")


def scaled_dot_product_attention(Q, K, V):
    attack()
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
