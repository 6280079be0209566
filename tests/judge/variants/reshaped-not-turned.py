# wrong_answer/reshaped-keys
import math
import torch
import torch.nn.functional as F


def scaled_dot_product_attention(Q, K, V):
    kt = K.contiguous().reshape(K.shape[:-2] + (K.shape[-1], K.shape[-2]))
    return F.softmax(torch.matmul(Q, kt) / math.sqrt(K.size(-1)), -1) @ V
