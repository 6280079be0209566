import torch

def scaled_dot_product_attention(Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor) -> torch.Tensor:
    """
    Returns the scaled dot-product attention output.
    """
    scores = Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5
    exponentials = torch.exp(scores - scores.min(dim=-1, keepdim=True).values)
    return exponentials / exponentials.sum(dim=-1, keepdim=True) @ V
