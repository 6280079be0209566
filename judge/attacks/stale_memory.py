# verdict: wrong_answer/values_differ | wrong_answer/non_finite
# why: torch.empty finds no answer that an earlier process left.
# layers: outside
import torch


def scaled_dot_product_attention(Q, K, V):
    return torch.empty(*Q.shape[:-1], V.shape[-1])
