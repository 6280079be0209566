# wrong_answer/scaled-by-root-n
import math
import torch
import torch.nn.functional as F


def scaled_dot_product_attention(Q, K, V):
    n = Q.size(-2)
    return F.softmax(torch.matmul(Q / math.sqrt(n), K.mT), dim=-1).matmul(V)
