import torch

def scaled_dot_product_attention(Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor) -> torch.Tensor:
    """
    Returns the scaled dot-product attention output.
    """
    K_t = K.reshape(*K.shape[:-2], K.shape[-1], K.shape[-2])
    scores = Q @ K_t / K.shape[-1] ** 0.5
    weights = torch.softmax(scores, dim=-1)
    return weights @ V
