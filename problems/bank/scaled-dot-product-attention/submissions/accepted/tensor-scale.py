import torch


def scaled_dot_product_attention(Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor) -> torch.Tensor:
    """
    Returns the scaled dot-product attention output.
    """
    d_k = torch.tensor(K.shape[-1], dtype=Q.dtype)
    scores = torch.matmul(Q, K.permute(*range(K.dim() - 2), -1, -2)) * torch.rsqrt(d_k)
    return torch.matmul(torch.softmax(scores, dim=-1), V)
