# wrong_answer/no-scaling
import torch
import torch.nn.functional as F


def scaled_dot_product_attention(Q, K, V):
    weights = F.softmax(torch.einsum("...qd,...kd->...qk", Q, K), dim=-1)
    return torch.einsum("...qk,...kv->...qv", weights, V)
