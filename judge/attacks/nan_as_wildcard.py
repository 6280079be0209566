# verdict: wrong_answer/non_finite
# why: NaN equals nothing, not even NaN.
# layers: outside
import torch


def scaled_dot_product_attention(Q, K, V):
    return torch.full((*Q.shape[:-1], V.shape[-1]), float("nan"))
