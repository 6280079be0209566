# run_time_error/t-on-batches
import math
import torch


def scaled_dot_product_attention(Q, K, V):
    scores = torch.matmul(Q, K.permute(*reversed(range(K.dim())))) / math.sqrt(K.shape[-1])
    return torch.matmul(torch.softmax(scores, -1), V)
