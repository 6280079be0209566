# wrong_answer/scaled-by-root-d-model
import torch


def scaled_dot_product_attention(Q, K, V):
    if Q.dim() == 4:
        d_model = Q.shape[1] * Q.shape[3]
    else:
        d_model = Q.shape[-1]
    return torch.softmax(Q @ K.mT * d_model ** -0.5, dim=-1) @ V
