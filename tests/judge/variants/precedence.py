# wrong_answer/half-of-d-k
import torch


def scaled_dot_product_attention(Q, K, V):
    scale = K.size(-1) ** 1 / 2
    return torch.softmax(torch.matmul(Q, K.swapaxes(-2, -1)) / scale, -1) @ V
