# wrong_answer/returns-tuple
import math
import torch
import torch.nn.functional as F


def scaled_dot_product_attention(Q, K, V):
    attention = F.softmax(torch.matmul(Q, K.mT) / math.sqrt(K.size(-1)), dim=-1)
    return (torch.matmul(attention, V), attention)
