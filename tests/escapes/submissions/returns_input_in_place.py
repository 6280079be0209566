# verdict: wrong_answer/wrong_shape | wrong_answer/values_differ
# why: An input turned into zeros and returned is compared with the answer, not with itself.
# layers: outside
import torch


def scaled_dot_product_attention(Q, K, V):
    return V.zero_()
