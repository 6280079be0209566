# wrong_answer/causal-mask
import math
import torch


def scaled_dot_product_attention(Q, K, V):
    s = Q @ K.mT / math.sqrt(K.shape[-1])
    n, m = s.shape[-2:]
    s = s + torch.triu(torch.full((n, m), float("-inf")), diagonal=1)
    return s.softmax(-1) @ V
