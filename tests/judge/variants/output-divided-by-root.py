# wrong_answer/scaled-after-softmax
import math


def scaled_dot_product_attention(Q, K, V):
    p = (Q @ K.mT).softmax(-1)
    return p @ V / math.sqrt(Q.size(-1))
