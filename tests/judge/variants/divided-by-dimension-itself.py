# wrong_answer/scaled-by-d-k, wrong_answer/scaled-twice
from torch import nn


def scaled_dot_product_attention(Q, K, V):
    dim = Q.size(-1)
    attn = nn.Softmax(dim=-1)(Q.matmul(K.mT).div(dim))
    return attn.matmul(V)
