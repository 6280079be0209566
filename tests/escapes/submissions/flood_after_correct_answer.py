# with policy: compile_error/forbidden_name | compile_error/forbidden_construct
# without policy: accepted
# why: What a finaliser prints after the right answer counts for the next case, and the answer stays right.
# layers: outside
import torch


class Late:
    def __del__(self):
        print("x" * 100_000)


def scaled_dot_product_attention(Q, K, V):
    late = Late()
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
