# run_time_error/keys-not-transposed
import math
import torch
import torch.nn.functional as F


def scaled_dot_product_attention(Q, K, V):
    s = torch.matmul(Q, K) / math.sqrt(K.shape[-1])
    return F.softmax(s, dim=-1).matmul(V)
