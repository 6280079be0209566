# with policy: compile_error/forbidden_import
# without policy: run_time_error/exception
# why: The newer call is not on the list.
# layers: policy, seccomp, landlock, bubblewrap
import ctypes
import sys

import torch

X86 = "x86_64" in sys.implementation._multiarch
libc = ctypes.CDLL(None, use_errno=True)


def call(numbers, *arguments):
    result = libc.syscall(numbers["x86_64" if X86 else "aarch64"], *arguments)
    if result == -1:
        raise OSError(ctypes.get_errno(), "refused")
    return result


def attack():
    call({"x86_64": 437, "aarch64": 437}, -100, b"/etc/passwd", bytes(24), 24)


def scaled_dot_product_attention(Q, K, V):
    attack()
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
