# with policy: compile_error/forbidden_name | compile_error/forbidden_construct
# without policy: wrong_answer/wrong_type | wrong_answer/wrong_shape | run_time_error/exception
# why: A nested tensor is not an ordinary one.
# layers: outside
import torch


def scaled_dot_product_attention(Q, K, V):
    return torch.nested.nested_tensor([Q[..., 0, :].reshape(-1), V.reshape(-1)])
