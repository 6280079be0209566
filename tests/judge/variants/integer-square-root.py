# wrong_answer/truncated-root
import math
import torch


def scaled_dot_product_attention(Q, K, V):
    root = math.isqrt(Q.shape[-1])
    logits = torch.einsum("...id,...jd->...ij", Q, K) / root
    return torch.einsum("...ij,...jd->...id", logits.softmax(dim=-1), V)
