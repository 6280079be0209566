import torch


def scaled_dot_product_attention(Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor) -> torch.Tensor:
    """
    Returns the scaled dot-product attention output.
    """
    products = Q[..., :, None, :] * K[..., None, :, :]
    scores = products.sum(dim=-1) / K.shape[-1] ** 0.5
    weights = torch.softmax(scores, dim=-1)
    return (weights[..., None] * V[..., None, :, :]).sum(dim=-2)
