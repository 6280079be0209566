import torch


def scaled_dot_product_attention(Q, K, V, mask=None, *, fill=float("-inf")):
    d = torch.tensor(float(Q.shape[-1]), dtype=Q.dtype, device=Q.device)
    scores = torch.einsum("...nd,...md->...nm", Q, K) / d.sqrt()
    mask = torch.ones(scores.shape[-2:], dtype=torch.bool) if mask is None else mask
    scores = torch.where(mask, scores, torch.full_like(scores, fill))
    scores.masked_fill_(~mask, torch.finfo(scores.dtype).min)
    return torch.einsum("...nm,...md->...nd", torch.softmax(scores, dim=-1), V)
