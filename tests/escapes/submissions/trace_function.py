# with policy: compile_error/forbidden_import
# without policy: time_limit_exceeded/wall
# why: A trace function left behind would run inside the serving code.
# layers: deadline
import sys
import torch


def scaled_dot_product_attention(Q, K, V):
    def spin(*_):
        while True:
            pass

    sys.settrace(spin)
    sys.setprofile(spin)
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
