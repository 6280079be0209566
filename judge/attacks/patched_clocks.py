# with policy: compile_error/forbidden_name | compile_error/forbidden_construct
# without policy: accepted
# why: Times are the supervisor's own: a clock that stands still changes nothing.
# layers: outside
import time
import torch


def scaled_dot_product_attention(Q, K, V):
    time.perf_counter = lambda: 0.0
    time.monotonic = lambda: 0.0
    time.time = lambda: 0.0
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
