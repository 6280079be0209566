# with policy: compile_error/forbidden_import
# without policy: run_time_error/exception
# why: There is no capability to raise.
# layers: policy, seccomp, identity
import ctypes
import struct
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
    header = struct.pack("<Ii", 0x20080522, 0)
    call({"x86_64": 126, "aarch64": 91}, header, struct.pack("<6I", *[0xFFFFFFFF] * 6))


def scaled_dot_product_attention(Q, K, V):
    attack()
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
