# wrong_answer/weights-transposed
import math
import torch
import torch.nn.functional as F


def scaled_dot_product_attention(Q, K, V):
    w = F.softmax(torch.einsum("...nd,...md->...nm", Q, K) / math.sqrt(K.shape[-1]), dim=-1)
    return torch.matmul(w.swapaxes(-1, -2), V)
