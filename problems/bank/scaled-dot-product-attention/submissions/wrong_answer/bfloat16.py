import torch

def scaled_dot_product_attention(Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor) -> torch.Tensor:
    """
    Returns the scaled dot-product attention output.
    """
    q, k, v = Q.bfloat16(), K.bfloat16(), V.bfloat16()
    scores = q @ k.transpose(-2, -1) / k.shape[-1] ** 0.5
    weights = torch.softmax(scores, dim=-1)
    return (weights @ v).float()
