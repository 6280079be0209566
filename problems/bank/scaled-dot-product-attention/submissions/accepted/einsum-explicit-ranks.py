import torch


def scaled_dot_product_attention(Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor) -> torch.Tensor:
    """
    Returns the scaled dot-product attention output.
    """
    leading = Q.shape[:-2]
    q = Q.reshape(-1, *Q.shape[-2:])
    k = K.reshape(-1, *K.shape[-2:])
    v = V.reshape(-1, *V.shape[-2:])
    scores = torch.einsum("bnd,bmd->bnm", q, k) / K.shape[-1] ** 0.5
    out = torch.einsum("bnm,bmv->bnv", scores.softmax(-1), v)
    return out.reshape(*leading, *out.shape[-2:])
