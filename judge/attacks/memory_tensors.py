# verdict: memory_limit_exceeded
# why: torch's allocator fails cleanly.
# layers: rlimits
import torch


def scaled_dot_product_attention(Q, K, V):
    kept = []
    while True:
        kept.append(torch.ones(1 << 20))
