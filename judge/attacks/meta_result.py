# verdict: wrong_answer/wrong_type
# why: A tensor without values.
# layers: outside
import torch


def scaled_dot_product_attention(Q, K, V):
    return torch.empty(*Q.shape[:-1], V.shape[-1], device="meta")
