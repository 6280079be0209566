import math

import torch


def scaled_dot_product_attention(Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor) -> torch.Tensor:
    """
    Returns the scaled dot-product attention output.
    """
    scores = Q @ K.transpose(-2, -1) / math.sqrt(K.shape[-1])
    exps = torch.exp2((scores - scores.amax(-1, keepdim=True)) * math.log2(math.e))
    return exps / exps.sum(-1, keepdim=True) @ V
