# wrong_answer/no-softmax
import math


def scaled_dot_product_attention(Q, K, V):
    return Q @ (K.mT @ V) / math.sqrt(K.shape[-1])
