# wrong_answer/averaged-again
import torch


def scaled_dot_product_attention(Q, K, V):
    w = torch.softmax(Q @ K.mT / K.shape[-1] ** 0.5, -1)
    return w @ V / K.shape[-2]
