# wrong_answer/first-batch-only
import math
import torch


def scaled_dot_product_attention(Q, K, V):
    if Q.dim() == 4:
        Q, K, V = Q[0, 0], K[0, 0], V[0, 0]
    elif Q.dim() == 3:
        Q, K, V = Q[0], K[0], V[0]
    return torch.softmax(Q @ K.mT / math.sqrt(K.shape[-1]), -1) @ V
