import math

import torch


def scaled_dot_product_attention(Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor) -> torch.Tensor:
    """
    Returns the scaled dot-product attention output.
    """
    if Q.dim() > 2:
        return torch.stack([scaled_dot_product_attention(q, k, v) for q, k, v in zip(Q, K, V)])
    n, d_k = Q.shape
    m = K.shape[0]
    scores = torch.zeros(n, m)
    for i in range(n):
        for j in range(m):
            scores[i, j] = torch.dot(Q[i], K[j]) / math.sqrt(d_k)
    return torch.softmax(scores, dim=1) @ V
