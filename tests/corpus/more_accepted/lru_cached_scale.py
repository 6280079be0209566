import functools
import math
from functools import lru_cache

import torch


@lru_cache(maxsize=None)
def scale(d_k: int) -> float:
    return 1 / math.sqrt(d_k)


@functools.cache
def twice(x):
    return 2 * x


def scaled_dot_product_attention(Q, K, V):
    s = Q @ K.transpose(-2, -1) * scale(K.shape[-1])
    assert scale.cache_info().currsize >= 1 and twice(2) == 4
    return s.softmax(-1) @ V
