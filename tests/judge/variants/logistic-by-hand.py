# wrong_answer/sigmoid
import math
import torch


def scaled_dot_product_attention(Q, K, V):
    s = Q @ K.mT / math.sqrt(Q.shape[-1])
    return (1 / (1 + torch.exp(-s))) @ V
