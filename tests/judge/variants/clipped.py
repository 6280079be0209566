# wrong_answer/clamped-scores
import math
import torch


def scaled_dot_product_attention(Q, K, V):
    s = torch.clip(Q @ K.mT / math.sqrt(K.shape[-1]), -50, 50)
    return s.softmax(-1) @ V
