import math
import torch

def scaled_dot_product_attention(Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor) -> torch.Tensor:
    """
    Returns the scaled dot-product attention output.
    """
    scale = int(math.sqrt(K.shape[-1]))
    scores = Q @ K.transpose(-2, -1) / scale
    weights = torch.softmax(scores, dim=-1)
    return weights @ V
