# verdict: wrong_answer/values_differ
# why: And not the bytes that lie there.
# layers: outside
import torch


def scaled_dot_product_attention(Q, K, V):
    right = torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
    return torch.complex(right, right).conj().imag
