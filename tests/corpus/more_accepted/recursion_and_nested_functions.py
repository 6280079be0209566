import torch


def scaled_dot_product_attention(Q, K, V):
    def attend(q, k, v, depth=0):
        nonlocal deepest
        deepest = max(deepest, depth)

        def softmax(x):
            e = torch.exp(x - x.max(-1, True)[0])
            return e / e.sum(-1, True)

        if q.dim() == 2:
            return softmax(q @ k.t() * k.size(1) ** -0.5) @ v
        return torch.stack([attend(a, b, c, depth + 1) for a, b, c in zip(q, k, v)])

    deepest = 0
    out = attend(Q, K, V)
    assert deepest == Q.dim() - 2
    return out
