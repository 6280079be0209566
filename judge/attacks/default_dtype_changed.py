# with policy: compile_error/forbidden_name | compile_error/forbidden_construct
# without policy: wrong_answer/wrong_dtype
# why: A default dtype changes what is made, not what is expected.
# layers: outside
import torch


def scaled_dot_product_attention(Q, K, V):
    torch.set_default_dtype(torch.float64)
    return torch.zeros(*Q.shape[:-1], V.shape[-1])
