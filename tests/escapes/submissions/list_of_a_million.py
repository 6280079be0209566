# verdict: wrong_answer/wrong_type
# why: A list of a million tensors is a list.
# layers: outside
import torch


def scaled_dot_product_attention(Q, K, V):
    return [V] * 1_000_000
