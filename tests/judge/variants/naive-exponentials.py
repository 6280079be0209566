# wrong_answer/exp-without-maximum
import math
import torch


def scaled_dot_product_attention(Q, K, V):
    e = torch.exp(torch.einsum("...nd,...md->...nm", Q, K) / math.sqrt(K.shape[-1]))
    return (e / torch.sum(e, -1, keepdim=True)) @ V
