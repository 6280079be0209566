import torch


def scaled_dot_product_attention(Q, K, V, chunk=2):
    """Flash-style: running maximum and sum over chunks of keys."""
    *lead, n, d = Q.shape
    m = Q.new_full((*lead, n, 1), float("-inf"))
    l = Q.new_zeros((*lead, n, 1))
    acc = torch.zeros(*lead, n, V.shape[-1], dtype=Q.dtype)
    for k, v in zip(K.split(chunk, dim=-2), V.split(chunk, dim=-2)):
        s = Q @ k.transpose(-2, -1) * d**-0.5
        m_new = torch.maximum(m, s.amax(dim=-1, keepdim=True))
        p, alpha = torch.exp(s - m_new), torch.exp(m - m_new)
        l = alpha * l + p.sum(dim=-1, keepdim=True)
        acc = alpha * acc + p @ v
        m = m_new
    return acc / l
