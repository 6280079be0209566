# with policy: compile_error/forbidden_name | compile_error/forbidden_construct
# without policy: time_limit_exceeded/wall
# why: The clock is the supervisor's.
# layers: deadline
import time
import torch


def scaled_dot_product_attention(Q, K, V):
    time.sleep(1000)
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
