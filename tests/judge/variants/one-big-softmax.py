# wrong_answer/softmax-over-everything
import math
import torch


def scaled_dot_product_attention(Q, K, V):
    s = torch.matmul(Q, K.mT) / math.sqrt(Q.shape[-1])
    e = torch.exp(s - s.max())
    return (e / e.sum()) @ V
