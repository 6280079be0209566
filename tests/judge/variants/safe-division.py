# wrong_answer/epsilon-in-denominator
import math


def scaled_dot_product_attention(Q, K, V):
    e = (Q @ K.mT / math.sqrt(K.shape[-1])).exp()
    total = e.sum(-1).unsqueeze(-1)
    return e.div(total + 1e-9) @ V
