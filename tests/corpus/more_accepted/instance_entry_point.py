import torch


class _Attention:
    __slots__ = ["dim", "calls"]

    def __init__(self, dim):
        self.dim = dim
        self.calls = 0

    def __call__(self, Q, K, V):
        self.calls += 1
        return torch.softmax(Q @ K.mT / K.shape[-1] ** 0.5, dim=self.dim) @ V


scaled_dot_product_attention = _Attention(dim=-1)
