import torch


def scaled_dot_product_attention(Q, K, V):
    n, m = Q.shape[-2], K.shape[-2]
    i = torch.arange(n).unsqueeze(-1).expand(n, m)
    bias = torch.zeros(n, m).masked_fill(i < 0, float("-inf"))
    lower, upper = torch.tril(torch.ones(n, m)), torch.triu(torch.ones(n, m), diagonal=1)
    assert torch.equal(lower + upper, torch.ones(n, m))
    s = torch.add(torch.mul(torch.matmul(Q, torch.swapaxes(K, -1, -2)), torch.rsqrt(torch.tensor(float(K.size(-1))))), bias)
    e = torch.exp(torch.sub(s, torch.amax(s, dim=-1, keepdim=True)))
    w = torch.div(e, torch.sum(e, dim=-1, keepdim=True))
    assert torch.linalg.norm(w) > 0 and torch.special.expit(torch.zeros(1)).item() == 0.5
    assert torch.fft.fft(torch.ones(4)).real.sum() == 4 and torch.linalg.vector_norm(torch.ones(4)).item() == 2
    return torch.cat(torch.chunk(torch.matmul(w, V), 2, dim=-2), dim=-2)
