# with policy: compile_error/forbidden_name | compile_error/forbidden_construct
# without policy: wrong_answer/wrong_type
# why: __class__ lies; type() does not.
# layers: outside
import torch


class Fake:
    @property
    def __class__(self):
        return torch.Tensor


def scaled_dot_product_attention(Q, K, V):
    return Fake()
