# wrong_answer/scaled-by-root-m
import math
import torch


def scaled_dot_product_attention(Q, K, V):
    seq = K.shape[-2]
    return torch.softmax((Q @ K.mT) * (1 / math.sqrt(seq)), dim=-1) @ V
