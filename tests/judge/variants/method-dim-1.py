# wrong_answer/softmax-over-dim-1
import math


def scaled_dot_product_attention(Q, K, V):
    return (Q @ K.mT / math.sqrt(Q.shape[-1])).softmax(1) @ V
