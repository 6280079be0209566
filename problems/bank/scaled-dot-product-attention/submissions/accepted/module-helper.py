import math

import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, dropout: float = 0.0):
        super().__init__()
        self.dropout = nn.Dropout(dropout)

    def forward(self, q, k, v):
        scores = q @ k.transpose(-2, -1) / math.sqrt(k.size(-1))
        weights = self.dropout(torch.softmax(scores, dim=-1))
        return weights @ v


def scaled_dot_product_attention(Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor) -> torch.Tensor:
    """
    Returns the scaled dot-product attention output.
    """
    return Attention()(Q, K, V)
