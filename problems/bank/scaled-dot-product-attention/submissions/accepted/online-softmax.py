import math

import torch


BLOCK = 4


def scaled_dot_product_attention(Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor) -> torch.Tensor:
    """
    Returns the scaled dot-product attention output.
    """
    *leading, n, d_k = Q.shape
    m, d_v = V.shape[-2:]
    best = torch.full((*leading, n, 1), float("-inf"))
    total = torch.zeros(*leading, n, 1)
    out = torch.zeros(*leading, n, d_v)
    for start in range(0, m, BLOCK):
        keys = K[..., start : start + BLOCK, :]
        values = V[..., start : start + BLOCK, :]
        scores = Q @ keys.transpose(-2, -1) / math.sqrt(d_k)
        new_best = torch.maximum(best, scores.amax(dim=-1, keepdim=True))
        exps = torch.exp(scores - new_best)
        shrink = torch.exp(best - new_best)
        total = total * shrink + exps.sum(dim=-1, keepdim=True)
        out = out * shrink + exps @ values
        best = new_best
    return out / total
