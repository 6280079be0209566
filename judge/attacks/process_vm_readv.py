# with policy: compile_error/forbidden_import
# without policy: run_time_error/exception
# why: Another process's memory is out of reach: the call is refused, and nobody here is dumpable.
# layers: policy, seccomp, identity
import ctypes
import os
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
    buffer = ctypes.create_string_buffer(8)
    ours = struct.pack("QQ", ctypes.addressof(buffer), 8)
    theirs = struct.pack("QQ", id(os), 8)  # the same address there: children are copies of the zygote
    parent = os.getppid()
    call({"x86_64": 310, "aarch64": 270}, parent if parent > 0 else 1, ours, 1, theirs, 1, 0)


def scaled_dot_product_attention(Q, K, V):
    attack()
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
