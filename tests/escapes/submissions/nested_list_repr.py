# verdict: run_time_error/exception | run_time_error/crashed
# why: Printing something nested twenty thousand deep.
# layers: outside
import torch


def scaled_dot_product_attention(Q, K, V):
    x = []
    for _ in range(20_000):
        x = [x]
    print(x)
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
