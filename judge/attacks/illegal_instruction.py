# with policy: compile_error/forbidden_import
# without policy: run_time_error/crashed
# why: Machine code of its own can only crash or compute.
# layers: outside
import ctypes
import mmap
import torch


def scaled_dot_product_attention(Q, K, V):
    page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(bytes.fromhex("0f0b0f0b"))
    ctypes.CFUNCTYPE(None)(ctypes.addressof(ctypes.c_char.from_buffer(page)))()
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
