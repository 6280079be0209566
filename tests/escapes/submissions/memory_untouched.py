# verdict: memory_limit_exceeded
# why: Memory that is only reserved counts too.
# layers: rlimits
import torch


def scaled_dot_product_attention(Q, K, V):
    kept = [torch.empty(1 << 26) for _ in range(100)]
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
