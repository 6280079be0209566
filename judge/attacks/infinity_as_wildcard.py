# verdict: wrong_answer/non_finite
# why: Infinity is within no tolerance.
# layers: outside
import torch


def scaled_dot_product_attention(Q, K, V):
    return torch.full((*Q.shape[:-1], V.shape[-1]), float("inf"))
