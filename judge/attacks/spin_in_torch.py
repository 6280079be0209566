# verdict: time_limit_exceeded/wall
# why: So does a loop in a kernel.
# layers: deadline
import torch


def scaled_dot_product_attention(Q, K, V):
    X = torch.ones(3000, 3000)
    for _ in range(1000):
        X = X @ X
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
