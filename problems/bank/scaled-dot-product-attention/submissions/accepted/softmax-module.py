import torch
from torch import nn


def scaled_dot_product_attention(Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor) -> torch.Tensor:
    """
    Returns the scaled dot-product attention output.
    """
    softmax = nn.Softmax(dim=-1)
    return softmax(Q @ K.swapaxes(-1, -2) / K.shape[-1] ** 0.5) @ V
