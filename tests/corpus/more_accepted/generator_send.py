import torch


def running_sum():
    total, value = 0, None
    while True:
        value = yield total
        total = total + value


def scaled_dot_product_attention(Q, K, V):
    w = torch.softmax(Q @ K.mT / K.size(-1) ** 0.5, -1)
    acc = running_sum()
    next(acc)
    for j in range(V.shape[-2]):
        out = acc.send(w[..., j : j + 1] * V[..., j : j + 1, :])
    acc.close()
    return out
