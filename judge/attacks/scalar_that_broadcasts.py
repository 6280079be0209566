# verdict: wrong_answer/wrong_shape
# why: A result is never broadcast.
# layers: outside
import torch


def scaled_dot_product_attention(Q, K, V):
    return (torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V).mean()
