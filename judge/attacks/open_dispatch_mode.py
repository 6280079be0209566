# with policy: compile_error/forbidden_import
# without policy: wrong_answer/values_differ | run_time_error/exception
# why: The same below the dispatcher.
# layers: outside
from torch.utils._python_dispatch import TorchDispatchMode
import torch


class Agree(TorchDispatchMode):
    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        return function(*args, **(kwargs or {}))


def scaled_dot_product_attention(Q, K, V):
    Agree().__enter__()
    return torch.zeros(*Q.shape[:-1], V.shape[-1])
