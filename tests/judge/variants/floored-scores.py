# wrong_answer/floor-division
import math
import torch
import torch.nn.functional as F


def scaled_dot_product_attention(Q, K, V):
    scores = torch.floor(torch.matmul(Q, K.transpose(-1, -2)) / math.sqrt(Q.size(-1)))
    return F.softmax(scores, -1).matmul(V)
