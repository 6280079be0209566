# verdict: wrong_answer/wrong_shape | run_time_error/exception
# why: No elements, but a dimension of 2**62.
# layers: outside
import torch


def scaled_dot_product_attention(Q, K, V):
    return torch.empty(0, 2**62)
