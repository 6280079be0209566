# with policy: compile_error/forbidden_name | compile_error/forbidden_construct
# without policy: wrong_answer/values_differ | run_time_error/crashed | run_time_error/exception
# why: A patched shape is checked against the expectation outside.
# layers: outside
import torch


def scaled_dot_product_attention(Q, K, V):
    shape = (*Q.shape[:-1], V.shape[-1])
    torch.Tensor.shape = property(lambda self: shape)
    return torch.zeros(1)
