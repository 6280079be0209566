# verdict: accepted | run_time_error/exception
# why: Global switches end with the process.
# layers: outside
import torch
import warnings


def scaled_dot_product_attention(Q, K, V):
    torch.use_deterministic_algorithms(True)
    warnings.simplefilter("error")
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
