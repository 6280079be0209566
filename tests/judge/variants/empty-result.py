# wrong_answer/returns-zeros
import torch


def scaled_dot_product_attention(Q, K, V):
    return torch.zeros_like(Q @ K.mT @ V)
