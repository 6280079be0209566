# with policy: compile_error/forbidden_import
# without policy: time_limit_exceeded/wall
# why: A pattern with exponential backtracking.
# layers: deadline
import re
import torch


def scaled_dot_product_attention(Q, K, V):
    re.match(r"(a+)+$", "a" * 40 + "b")
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
