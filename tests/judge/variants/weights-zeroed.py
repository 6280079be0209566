# wrong_answer/mask-after-softmax
import math
import torch


def scaled_dot_product_attention(Q, K, V):
    w = torch.softmax(Q @ K.mT / math.sqrt(K.shape[-1]), -1)
    n, m = w.shape[-2:]
    return (w * torch.ones(n, m).tril()) @ V
