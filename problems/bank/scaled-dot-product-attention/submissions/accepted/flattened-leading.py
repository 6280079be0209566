import torch


def scaled_dot_product_attention(Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor) -> torch.Tensor:
    """
    Returns the scaled dot-product attention output.
    """
    q = Q.flatten(0, -3) if Q.dim() > 2 else Q.unsqueeze(0)
    k = K.flatten(0, -3) if K.dim() > 2 else K.unsqueeze(0)
    v = V.flatten(0, -3) if V.dim() > 2 else V.unsqueeze(0)
    out = torch.empty(q.shape[0], q.shape[1], v.shape[2])
    for b in range(q.shape[0]):
        out[b] = torch.softmax(q[b] @ k[b].t() / k.shape[-1] ** 0.5, dim=-1) @ v[b]
    return out.reshape(Q.shape[:-1] + V.shape[-1:])
