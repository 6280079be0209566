# verdict: wrong_answer/values_differ
# why: Right on the first call of a sample only: noted, and wrong where it counts.
# layers: outside
import torch


CALLS = []


def scaled_dot_product_attention(Q, K, V):
    CALLS.append(1)
    right = torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
    return right if len(CALLS) == 1 else right + 1
