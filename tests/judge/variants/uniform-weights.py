# wrong_answer/mean-of-values
import torch


def scaled_dot_product_attention(Q, K, V):
    w = torch.ones(*Q.shape[:-1], K.shape[-2]) / K.shape[-2]
    return w @ V
