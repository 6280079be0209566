# with policy: compile_error/forbidden_import
# without policy: memory_limit_exceeded
# why: malloc fails like everything else.
# layers: rlimits
import ctypes
import torch


def scaled_dot_product_attention(Q, K, V):
    libc = ctypes.CDLL(None)
    libc.malloc.restype = ctypes.c_void_p
    libc.malloc.argtypes = (ctypes.c_size_t,)
    if not libc.malloc(1 << 34):
        raise MemoryError
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
