import math

import torch


def scaled_dot_product_attention(Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor) -> torch.Tensor:
    """
    Returns the scaled dot-product attention output.
    """
    *leading, n, d_k = Q.shape
    m, d_v = V.shape[-2:]
    q = Q.reshape(-1, n, d_k)
    k = K.reshape(-1, m, d_k)
    v = V.reshape(-1, m, d_v)
    scores = torch.bmm(q, k.transpose(1, 2)) / math.sqrt(d_k)
    out = torch.bmm(torch.softmax(scores, dim=2), v)
    return out.reshape(*leading, n, d_v)
