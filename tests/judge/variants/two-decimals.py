# wrong_answer/rounded-to-2-decimals
import math


def scaled_dot_product_attention(Q, K, V):
    w = (Q @ K.mT / math.sqrt(K.size(-1))).softmax(-1)
    return (100 * (w @ V)).round() / 100
