# wrong_answer/queries-with-queries
import math
import torch


def scaled_dot_product_attention(Q, K, V):
    s = torch.einsum("...id,...jd->...ij", Q, Q) / math.sqrt(K.shape[-1])
    return s.softmax(-1) @ V
