import math

import torch


def matmul(a, b):
    return [[sum(x * y for x, y in zip(row, col)) for col in zip(*b)] for row in a]


def transpose(a):
    return list(map(list, zip(*a)))


def attend(q, k, v):
    scale = math.sqrt(len(k[0]))
    out = []
    for row in matmul(q, transpose(k)):
        row = [x / scale for x in row]
        top = max(row)
        exps = [math.exp(x - top) for x in row]
        total = sum(exps)
        out.append([e / total for e in exps])
    return matmul(out, v)


def scaled_dot_product_attention(Q, K, V):
    if Q.dim() == 2:
        return torch.tensor(attend(Q.tolist(), K.tolist(), V.tolist()), dtype=Q.dtype)
    return torch.stack([scaled_dot_product_attention(*qkv) for qkv in zip(Q, K, V)])
