# verdict: time_limit_exceeded/wall
# why: Catching RecursionError at every depth takes exponential time.
# layers: deadline
import torch


def forever():
    try:
        forever()
    except RecursionError:
        forever()


def scaled_dot_product_attention(Q, K, V):
    forever()
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
