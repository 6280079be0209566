import torch

def scaled_dot_product_attention(Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor) -> torch.Tensor:
    """
    Returns the scaled dot-product attention output.
    """
    n, d_k = Q.shape
    scores = Q @ K.transpose(0, 1) / d_k ** 0.5
    weights = torch.softmax(scores, dim=1)
    return weights @ V
