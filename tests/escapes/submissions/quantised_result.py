# with policy: compile_error/forbidden_name | compile_error/forbidden_construct
# without policy: wrong_answer/wrong_type | wrong_answer/wrong_dtype
# why: A quantised tensor has another dtype.
# layers: outside
import torch


def scaled_dot_product_attention(Q, K, V):
    return torch.quantize_per_tensor(torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V, 0.1, 0, torch.qint8)
