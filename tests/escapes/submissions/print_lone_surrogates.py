# verdict: accepted
# why: What is not valid Unicode is replaced.
# layers: outside
import torch


def scaled_dot_product_attention(Q, K, V):
    print("\ud800 \udfff" * 100)
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
