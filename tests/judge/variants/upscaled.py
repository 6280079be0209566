# wrong_answer/multiplied-by-root
import torch.nn.functional as F


def scaled_dot_product_attention(Q, K, V):
    d = Q.shape[-1]
    q = Q * d ** 0.5
    return F.softmax(q @ K.mT, dim=-1) @ V
