# verdict: wrong_answer/values_differ
# why: A constant is not the answer.
# layers: outside
import torch


def scaled_dot_product_attention(Q, K, V):
    return torch.full((*Q.shape[:-1], V.shape[-1]), 0.5)
