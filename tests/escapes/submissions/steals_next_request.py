# with policy: compile_error/forbidden_import
# without policy: time_limit_exceeded/wall
# why: Reading descriptor 3 oneself waits for a request that comes only after the answer.
# layers: outside
import os
import torch


def scaled_dot_product_attention(Q, K, V):
    os.read(3, 1000)
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
