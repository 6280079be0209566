import torch


def scaled_dot_product_attention(Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor) -> torch.Tensor:
    """
    Returns the scaled dot-product attention output.
    """
    return (Q.matmul(K.mT) * K.size(-1) ** -0.5).softmax(dim=-1).matmul(V)
