# with policy: compile_error/forbidden_name | compile_error/forbidden_construct
# without policy: accepted | wrong_answer/values_differ | run_time_error/exception
# why: Reaching past an input finds inputs of the same message only, and spoils them for oneself.
# layers: outside
import torch


def scaled_dot_product_attention(Q, K, V):
    result = torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
    whole = torch.as_strided(Q, (Q.untyped_storage().nbytes() // 4 - 64,), (1,), 0)
    whole.fill_(0.0)
    return result
