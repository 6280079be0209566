# with policy: compile_error/forbidden_name | compile_error/forbidden_construct
# without policy: run_time_error/exception | run_time_error/crashed
# why: as_strided beyond the storage is refused by torch.
# layers: outside
import torch


def scaled_dot_product_attention(Q, K, V):
    return torch.as_strided(Q, V.shape, (10**6, 10**6), 10**9)
