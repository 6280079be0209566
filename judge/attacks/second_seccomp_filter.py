# with policy: compile_error/forbidden_import
# without policy: run_time_error/exception
# why: A filter of its own could answer later calls of the serving code.
# layers: policy, seccomp
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
    program = ctypes.create_string_buffer(struct.pack("<HBBI", 6, 0, 0, 0x7FFF0000))
    call({"x86_64": 317, "aarch64": 277}, 1, 0, struct.pack("<HxxxxxxQ", 1, ctypes.addressof(program)))


def scaled_dot_product_attention(Q, K, V):
    attack()
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
