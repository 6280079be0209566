# verdict: memory_limit_exceeded
# why: 10 GB in one piece.
# layers: rlimits
import torch


def scaled_dot_product_attention(Q, K, V):
    torch.ones(10 * (1 << 28))
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
