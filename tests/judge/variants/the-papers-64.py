# wrong_answer/scaled-by-eight
import math
import torch.nn.functional as F


def scaled_dot_product_attention(Q, K, V):
    D_K = 64
    return F.softmax(Q @ K.transpose(-2, -1) / math.sqrt(D_K), dim=-1) @ V
