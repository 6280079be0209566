# verdict: wrong_answer/values_differ
# why: Chance does not agree with the answer.
# layers: outside
import torch


def scaled_dot_product_attention(Q, K, V):
    return torch.randn(*Q.shape[:-1], V.shape[-1])
