# verdict: memory_limit_exceeded
# why: The same with tensors.
# layers: rlimits, deadline
import torch


def scaled_dot_product_attention(Q, K, V):
    kept = []
    while True:
        try:
            kept.append(torch.ones(1 << 18))
        except RuntimeError:
            pass
