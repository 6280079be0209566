import torch


def scaled_dot_product_attention(Q, K, V):
    s = torch.bmm(Q.reshape(-1, *Q.shape[-2:]), K.reshape(-1, *K.shape[-2:]).transpose(1, 2)) / K.shape[-1] ** 0.5
    top = torch.topk(s, k=s.shape[-1], dim=-1)
    w = torch.zeros_like(s).scatter(-1, top.indices, torch.softmax(top.values, dim=-1))
    result = torch.max(w, dim=-1)
    assert torch.equal(result.values, w.gather(-1, result.indices.unsqueeze(-1)).squeeze(-1))
    out = torch.baddbmm(torch.zeros(1), w, V.reshape(-1, *V.shape[-2:]))
    return out.reshape(*Q.shape[:-1], V.shape[-1])
