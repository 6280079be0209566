# with policy: compile_error/forbidden_import
# without policy: run_time_error/exception
# why: A user namespace would hand out capabilities.
# layers: policy, seccomp
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
    call({"x86_64": 272, "aarch64": 97}, 0x10000000)  # unshare(CLONE_NEWUSER)


def scaled_dot_product_attention(Q, K, V):
    attack()
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
