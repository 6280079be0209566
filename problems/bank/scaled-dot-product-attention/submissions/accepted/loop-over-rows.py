import math

import torch


def scaled_dot_product_attention(Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor) -> torch.Tensor:
    """
    Returns the scaled dot-product attention output.
    """
    rows = []
    for i in range(Q.shape[-2]):
        query = Q[..., i : i + 1, :]
        weights = torch.softmax(query @ K.transpose(-2, -1) / math.sqrt(K.shape[-1]), dim=-1)
        rows.append(weights @ V)
    return torch.cat(rows, dim=-2)
