# wrong_answer/no-scaling
import torch


def scaled_dot_product_attention(Q, K, V):
    out = torch.zeros(*Q.shape[:-1], V.shape[-1])
    for i in range(Q.shape[-2]):
        scores = (Q[..., i, None, :] * K).sum(-1)
        out[..., i, :] = (scores.softmax(-1).unsqueeze(-1) * V).sum(-2)
    return out
