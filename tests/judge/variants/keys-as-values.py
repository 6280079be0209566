# wrong_answer/weights-times-keys
import math
import torch
import torch.nn.functional as F


def scaled_dot_product_attention(Q, K, V):
    w = F.softmax(Q @ K.mT / math.sqrt(K.size(-1)), -1)
    return torch.einsum("...nm,...md->...nd", w, K)
