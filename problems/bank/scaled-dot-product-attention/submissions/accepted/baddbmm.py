import torch


def scaled_dot_product_attention(Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor) -> torch.Tensor:
    """
    Returns the scaled dot-product attention output.
    """
    leading, n, d_k = Q.shape[:-2], Q.shape[-2], Q.shape[-1]
    m, d_v = V.shape[-2:]
    q, k, v = Q.reshape(-1, n, d_k), K.reshape(-1, m, d_k), V.reshape(-1, m, d_v)
    bias = q.new_zeros(q.shape[0], n, m)
    scores = torch.baddbmm(bias, q, k.mT, beta=0.0, alpha=d_k ** -0.5)
    return torch.bmm(scores.softmax(dim=-1), v).reshape(leading + (n, d_v))
