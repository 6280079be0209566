# with policy: compile_error/forbidden_name | compile_error/forbidden_construct
# without policy: accepted | run_time_error/exception | run_time_error/exited | run_time_error/crashed
# why: The serving code's own tools may break: the liar's loss.
# layers: outside
import torch


def scaled_dot_product_attention(Q, K, V):
    result = torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
    for name in ("dim", "numel", "is_contiguous", "data_ptr", "shape", "dtype"):
        setattr(torch.Tensor, name, None)
    return result
