import torch

def scaled_dot_product_attention(Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor) -> torch.Tensor:
    """
    Returns the scaled dot-product attention output.
    """
    n, d_k = Q.shape[-2:]
    m, d_v = V.shape[-2:]
    keys = K.reshape(-1, m, d_k)
    values = V.reshape(-1, m, d_v)
    rows = []
    for i, query in enumerate(Q.view(-1, d_k)):
        scores = keys[i // n] @ query / d_k ** 0.5
        weights = torch.softmax(scores, dim=0)
        rows.append(weights @ values[i // n])
    return torch.stack(rows).view(*Q.shape[:-1], d_v)
