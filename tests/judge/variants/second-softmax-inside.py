# wrong_answer/softmax-twice
import math
import torch


def scaled_dot_product_attention(Q, K, V):
    def normalise(x):
        return torch.softmax(x, dim=-1)

    scores = Q @ K.mT / math.sqrt(Q.shape[-1])
    return normalise(normalise(scores)) @ V
