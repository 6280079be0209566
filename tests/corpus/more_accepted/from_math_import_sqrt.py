from math import exp, fsum, inf, isclose, log, sqrt
import torch as th


def softmax_row(row):
    top = max(row)
    exps = [exp(x - top) for x in row]
    total = fsum(exps)
    return [e / total for e in exps]


def scaled_dot_product_attention(Q, K, V):
    s = Q @ K.transpose(-2, -1) / sqrt(K.size(-1))
    flat = s.reshape(-1, s.shape[-1]).tolist()
    w = th.tensor([softmax_row(row) for row in flat]).reshape(s.shape)
    assert isclose(log(exp(1)), 1) and -inf < 0
    return w @ V
