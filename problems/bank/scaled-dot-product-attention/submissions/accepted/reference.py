import math

import torch


def scaled_dot_product_attention(Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor) -> torch.Tensor:
    """
    Returns the scaled dot-product attention output, in the dtype of the inputs.
    """
    scores = torch.matmul(Q, K.transpose(-2, -1)) / math.sqrt(K.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    return torch.matmul(weights, V)
