import torch


def scaled_dot_product_attention(Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor) -> torch.Tensor:
    """
    Returns the scaled dot-product attention output.
    """
    scale = K.shape[-1] ** -0.25
    scores = (Q * scale) @ (K * scale).transpose(-2, -1)
    return torch.softmax(scores, dim=-1) @ V
