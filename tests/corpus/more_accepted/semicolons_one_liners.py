import torch; from torch import nn; d = -1
class A: x = 1; y = 2
def scaled_dot_product_attention(Q, K, V): s = Q @ K.mT / K.shape[d] ** .5; w = s.softmax(d); return w @ V
