# wrong_answer/one-maximum-for-all
import math
import torch


def scaled_dot_product_attention(Q, K, V):
    s = torch.einsum("...nd,...md->...nm", Q, K) / math.sqrt(K.shape[-1])
    e = torch.exp(s - torch.amax(s))
    return (e / e.sum(-1, keepdim=True)) @ V
