# wrong_answer/squeezed
import math
import torch


def scaled_dot_product_attention(Q, K, V):
    result = torch.einsum("...nm,...mv->...nv", torch.softmax(Q @ K.mT / math.sqrt(K.shape[-1]), -1), V)
    return torch.squeeze(result)
