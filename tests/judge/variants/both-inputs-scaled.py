# wrong_answer/scaled-by-d-k, wrong_answer/scaled-twice
import math


def scaled_dot_product_attention(Q, K, V):
    root = math.sqrt(K.shape[-1])
    return ((Q / root) @ (K / root).mT).softmax(-1) @ V
