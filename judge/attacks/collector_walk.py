# with policy: compile_error/forbidden_import
# without policy: run_time_error/exception
# why: Nor does any object that the collector knows.
# layers: outside
import gc
import torch


def scaled_dot_product_attention(Q, K, V):
    right = torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
    for value in gc.get_objects():
        if type(value) is torch.Tensor and value.shape == right.shape and value is not right and value.dtype.is_floating_point:
            if torch.allclose(value.to(right.dtype), right, rtol=1e-4):
                return right
    raise LookupError("no answer among the objects")
