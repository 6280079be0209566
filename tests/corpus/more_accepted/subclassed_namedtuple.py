from collections import namedtuple

import torch


class Shapes(namedtuple("Shapes", "n m d_k d_v")):
    __slots__ = ()

    @property
    def scale(self):
        return self.d_k ** -0.5

    @classmethod
    def of(cls, q, k, v):
        return cls(q.shape[-2], k.shape[-2], q.shape[-1], v.shape[-1])


def scaled_dot_product_attention(Q, K, V):
    s = Shapes.of(Q, K, V)
    return torch.softmax(Q @ K.mT * s.scale, dim=-1) @ V
