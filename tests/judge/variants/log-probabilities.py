# wrong_answer/log-softmax
import math


def scaled_dot_product_attention(Q, K, V):
    s = Q @ K.mT / math.sqrt(K.shape[-1])
    return (s - s.logsumexp(-1, keepdim=True)) @ V
