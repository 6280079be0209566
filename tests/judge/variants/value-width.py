# wrong_answer/scaled-by-root-d-v
import torch


def scaled_dot_product_attention(Q, K, V):
    d_v = V.shape[-1]
    s = torch.einsum("...nd,...md->...nm", Q, K) * d_v ** -0.5
    e = torch.exp(s - s.amax(-1, keepdim=True))
    return e / e.sum(-1, keepdim=True) @ V
