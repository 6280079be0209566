# verdict: output_limit_exceeded
# why: 10 MB in one print.
# layers: outside
import torch


def scaled_dot_product_attention(Q, K, V):
    print("x" * 10_000_000)
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
