# wrong_answer/scaled-by-root-first-size
import torch


def scaled_dot_product_attention(Q, K, V):
    temperature = len(K) ** 0.5
    return torch.softmax(Q @ K.mT / temperature, dim=-1) @ V
