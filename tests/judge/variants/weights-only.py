# wrong_answer/returns-weights
import math
import torch


def scaled_dot_product_attention(Q, K, V):
    e = torch.exp(Q @ K.mT / math.sqrt(K.shape[-1]) - (Q @ K.mT / math.sqrt(K.shape[-1])).amax(-1, keepdim=True))
    return e / e.sum(-1, keepdim=True)
