import torch


def scaled_dot_product_attention(Q, K, V):
    """Scaled dot-product attention, with checks."""
    assert Q.ndim == K.ndim == V.ndim >= 2, f"ranks {Q.ndim} {K.ndim} {V.ndim}"
    assert Q.shape[:-2] == K.shape[:-2] == V.shape[:-2]
    assert Q.dtype is torch.float32 and Q.is_floating_point() and not Q.requires_grad
    assert K.size(-2) == V.size(-2), (K.size(), V.size())
    w = torch.softmax(Q.matmul(K.mT).div(K.size(-1) ** 0.5), dim=-1)
    assert torch.allclose(w.sum(dim=-1), torch.ones(w.shape[:-1])) and w.isfinite().all()
    assert w.min().item() >= 0 and bool((w <= 1).all()) and not torch.isnan(w).any()
    return w @ V
