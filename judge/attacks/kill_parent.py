# with policy: compile_error/forbidden_import
# without policy: run_time_error/exception
# why: The zygote must survive: kill is refused, and Landlock keeps signals inside the child's own domain.
# layers: policy, seccomp, landlock
import os
import signal

import torch


def attack():
    parent = os.getppid()  # -1 where even the question is refused
    os.kill(parent if parent > 0 else 1, signal.SIGKILL)


def scaled_dot_product_attention(Q, K, V):
    attack()
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
