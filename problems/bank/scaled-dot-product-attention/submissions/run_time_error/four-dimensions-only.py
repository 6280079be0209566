import torch

def scaled_dot_product_attention(Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor) -> torch.Tensor:
    """
    Returns the scaled dot-product attention output.
    """
    batch, heads, n, d_k = Q.shape
    scores = Q @ K.transpose(2, 3) / d_k ** 0.5
    weights = torch.softmax(scores, dim=3)
    return weights @ V
