# with policy: compile_error/forbidden_name | compile_error/forbidden_construct
# without policy: time_limit_exceeded/wall
# why: A finaliser that never ends.
# layers: deadline
import torch


class Spin:
    def __del__(self):
        while True:
            pass


def scaled_dot_product_attention(Q, K, V):
    Spin()
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
