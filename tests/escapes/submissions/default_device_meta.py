# with policy: compile_error/forbidden_name | compile_error/forbidden_construct
# without policy: wrong_answer/wrong_type | run_time_error/exception
# why: A default device without values.
# layers: outside
import torch


def scaled_dot_product_attention(Q, K, V):
    torch.set_default_device("meta")
    return torch.zeros(*Q.shape[:-1], V.shape[-1])
