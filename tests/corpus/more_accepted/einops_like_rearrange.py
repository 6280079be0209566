import torch


def rearrange(x, pattern):
    """A tiny einops: only permutes named axes, '...' first."""
    left, right = (side.split() for side in pattern.split("->"))
    assert sorted(left) == sorted(right), f"axes differ: {left!r} vs {right!r}"
    if left[0] == "...":
        lead = x.dim() - len(left) + 1
        left, right = left[1:], right[1:]
    else:
        lead = 0
    order = list(range(lead)) + [lead + left.index(axis) for axis in right]
    return x.permute(*order)


def scaled_dot_product_attention(Q, K, V):
    scores = Q.matmul(rearrange(K, "... m d -> ... d m")) / (Q.size(dim=-1) ** 0.5)
    return scores.softmax(dim=-1).matmul(V)
