# wrong_answer/dropout-left-on
import math
import torch
from torch import nn


def scaled_dot_product_attention(Q, K, V):
    w = torch.softmax(Q @ K.mT / math.sqrt(K.shape[-1]), -1)
    return nn.Dropout(0.1)(w) @ V
