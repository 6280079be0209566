# wrong_answer/rounded-to-4-decimals
import math
import torch


def scaled_dot_product_attention(Q, K, V):
    w = (Q @ K.mT / math.sqrt(K.size(-1))).softmax(-1)
    return torch.round(w @ V, decimals=4)
