# verdict: wrong_answer/non_finite
# why: One element that is not a number spoils a case.
# layers: outside
import torch


def scaled_dot_product_attention(Q, K, V):
    result = torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
    result.view(-1)[-1] = float("nan")
    return result
