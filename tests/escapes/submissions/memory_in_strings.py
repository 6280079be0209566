# verdict: memory_limit_exceeded | run_time_error/exception
# why: Formatting can ask for gigabytes.
# layers: rlimits
import torch


def scaled_dot_product_attention(Q, K, V):
    "%2000000000d" % 1
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
