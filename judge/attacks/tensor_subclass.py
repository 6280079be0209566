# with policy: compile_error/forbidden_name | compile_error/forbidden_construct
# without policy: wrong_answer/wrong_type
# why: Only an exact tensor is a tensor.
# layers: outside
import torch


class Equal(torch.Tensor):
    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        return torch.tensor(True)


def scaled_dot_product_attention(Q, K, V):
    return torch.zeros(*Q.shape[:-1], V.shape[-1]).as_subclass(Equal)
