# wrong_answer/returns-float64
import math
import torch


def scaled_dot_product_attention(Q, K, V):
    s = Q.to(torch.float64) @ K.to(torch.float64).mT / math.sqrt(K.size(-1))
    return s.softmax(-1) @ V.to(torch.float64)
