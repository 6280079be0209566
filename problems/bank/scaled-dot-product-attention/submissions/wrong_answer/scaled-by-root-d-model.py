import math
import torch

def scaled_dot_product_attention(Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor) -> torch.Tensor:
    """
    Returns the scaled dot-product attention output.
    """
    heads = Q.shape[1] if Q.dim() == 4 else 1
    d_model = heads * Q.shape[-1]
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_model)
    weights = torch.softmax(scores, dim=-1)
    return weights @ V
