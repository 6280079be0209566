import torch


def scaled_dot_product_attention(Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor) -> torch.Tensor:
    """
    Returns the scaled dot-product attention output.
    """
    if Q.dim() > 2:
        return torch.stack([scaled_dot_product_attention(Q[b], K[b], V[b]) for b in range(Q.shape[0])])
    scores = torch.mm(Q, K.t()) / K.shape[1] ** 0.5
    return torch.mm(torch.softmax(scores, dim=1), V)
