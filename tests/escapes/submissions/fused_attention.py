# with policy: compile_error/forbidden_name | compile_error/forbidden_construct
# without policy: accepted
# why: The ready-made function is forbidden by the problem; without the policy it is simply right.
# layers: policy
import torch
import torch.nn.functional as F


def scaled_dot_product_attention(Q, K, V):
    return F.scaled_dot_product_attention(Q, K, V)
