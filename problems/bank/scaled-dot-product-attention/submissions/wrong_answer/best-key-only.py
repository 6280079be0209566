import torch
import torch.nn.functional as F

def scaled_dot_product_attention(Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor) -> torch.Tensor:
    """
    Returns the scaled dot-product attention output.
    """
    scores = Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5
    best = torch.argmax(scores, dim=-1)
    weights = F.one_hot(best, num_classes=K.shape[-2]).float()
    return weights @ V
