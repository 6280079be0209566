# with policy: compile_error/forbidden_import
# without policy: time_limit_exceeded/wall
# why: poll is allowed, and the clock runs.
# layers: deadline
import select
import torch


def scaled_dot_product_attention(Q, K, V):
    select.poll().poll()
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
