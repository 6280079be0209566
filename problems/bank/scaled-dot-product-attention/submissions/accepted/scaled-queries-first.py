import torch


def scaled_dot_product_attention(Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor) -> torch.Tensor:
    """
    Returns the scaled dot-product attention output.
    """
    q = Q / K.shape[-1] ** 0.5
    return (q @ K.transpose(-1, -2)).softmax(-1) @ V
