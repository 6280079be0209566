# verdict: wrong_answer/wrong_dtype
# why: Differences that overflow are only large.
# layers: outside
import torch


def scaled_dot_product_attention(Q, K, V):
    return torch.full((*Q.shape[:-1], V.shape[-1]), 1.7e308, dtype=torch.float64)
