# verdict: wrong_answer/wrong_type
# why: Nobody iterates over a result that is no tensor.
# layers: outside
import itertools
import torch


def scaled_dot_product_attention(Q, K, V):
    return itertools.count()
