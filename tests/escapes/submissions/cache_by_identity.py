# verdict: wrong_answer/wrong_shape
# why: An answer remembered by id() of its inputs is remembered for the wrong inputs.
# layers: outside
import torch


CACHE = {}


def scaled_dot_product_attention(Q, K, V):
    key = 0
    if key not in CACHE:
        CACHE[key] = torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
    return CACHE[key]
