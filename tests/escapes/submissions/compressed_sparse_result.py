# with policy: compile_error/forbidden_name | compile_error/forbidden_construct
# without policy: wrong_answer/wrong_type
# why: Nor is a compressed one.
# layers: outside
import torch


def scaled_dot_product_attention(Q, K, V):
    return (torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V).reshape(-1, V.shape[-1]).to_sparse_csr()
