# wrong_answer/nan-to-num
import math
import torch


def scaled_dot_product_attention(Q, K, V):
    e = (Q @ K.mT / math.sqrt(K.shape[-1])).exp()
    w = e / e.sum(-1, keepdim=True)
    w[torch.isnan(w)] = 0.0
    return w @ V
