# wrong_answer/sum-without-keepdim
import math
import torch


def scaled_dot_product_attention(Q, K, V):
    s = Q @ K.mT / math.sqrt(K.size(-1))
    e = torch.exp(s - s.amax(dim=-1, keepdim=True))
    return torch.matmul(e / torch.sum(e, dim=-1), V)
