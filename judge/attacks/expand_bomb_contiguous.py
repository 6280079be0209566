# verdict: memory_limit_exceeded
# why: Asking for the 4 TB oneself is asking for memory.
# layers: rlimits
import torch


def scaled_dot_product_attention(Q, K, V):
    return torch.zeros(1).expand(10**6, 10**6).contiguous()
