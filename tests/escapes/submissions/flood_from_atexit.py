# with policy: compile_error/forbidden_import
# without policy: accepted
# why: The process is killed or leaves by os._exit: no exit handler ever runs.
# layers: outside
import atexit
import torch


def scaled_dot_product_attention(Q, K, V):
    atexit.register(lambda: [print("x" * 1000) for _ in range(10_000)])
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
