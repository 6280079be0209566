# verdict: accepted | time_limit_exceeded/wall | run_time_error/exception
# why: A graph a hundred thousand deep is torn down without a crash.
# layers: outside, deadline
import torch


def scaled_dot_product_attention(Q, K, V):
    x = torch.zeros(1, requires_grad=True)
    for _ in range(20_000):
        x = x + 1
    x.backward()
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
