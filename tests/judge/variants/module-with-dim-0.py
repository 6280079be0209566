# wrong_answer/softmax-over-dim-0
import math
from torch import nn


def scaled_dot_product_attention(Q, K, V):
    attend = nn.Softmax(dim=0)
    return attend(Q @ K.mT / math.sqrt(Q.shape[-1])) @ V
