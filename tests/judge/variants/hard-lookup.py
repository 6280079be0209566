# wrong_answer/best-key-only
import torch


def scaled_dot_product_attention(Q, K, V):
    best = (Q @ K.mT).argmax(dim=-1)
    index = best.unsqueeze(-1).expand(*best.shape, V.shape[-1])
    return torch.gather(V, -2, index)
