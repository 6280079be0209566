# with policy: compile_error/forbidden_name | compile_error/forbidden_construct
# without policy: wrong_answer/wrong_shape
# why: The same by address: every case has inputs of its own.
# layers: outside
import torch


CACHE = {}


def scaled_dot_product_attention(Q, K, V):
    key = Q.data_ptr() // (1 << 40)
    if key not in CACHE:
        CACHE[key] = torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
    return CACHE[key]
