# verdict: wrong_answer/wrong_type
# why: A Parameter is a subclass of a tensor too.
# layers: outside
import torch


def scaled_dot_product_attention(Q, K, V):
    return torch.nn.Parameter(torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V)
