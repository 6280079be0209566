# wrong_answer/softmin
import math
import torch.nn.functional as F


def scaled_dot_product_attention(Q, K, V):
    return F.softmin(Q @ K.mT / math.sqrt(K.shape[-1]), dim=-1) @ V
