# with policy: compile_error/forbidden_name | compile_error/forbidden_construct
# without policy: accepted
# why: A mode left on from one call is off in the next.
# layers: outside
import torch


def scaled_dot_product_attention(Q, K, V):
    torch.inference_mode().__enter__()
    torch.set_grad_enabled(False)
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
