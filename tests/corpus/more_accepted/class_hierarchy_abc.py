from abc import ABC, ABCMeta, abstractmethod

import torch


class Attention(ABC):
    dim = -1

    def __init__(self, d):
        self._d = d
        self.__calls = 0

    @abstractmethod
    def scores(self, q, k): ...

    def __call__(self, q, k, v):
        self.__calls += 1
        return self._normalise(self.scores(q, k)) @ v

    def _normalise(self, s):
        return torch.softmax(s, dim=self.dim)

    @property
    def calls(self):
        return self.__calls


class Meta(metaclass=ABCMeta):
    @abstractmethod
    def nothing(self): ...


class Dot(Attention):
    def scores(self, q, k):
        return q @ k.mT


class ScaledDot(Dot):
    def __init__(self, d):
        super().__init__(d)
        self.scale = self._d**-0.5

    def scores(self, q, k):
        return super().scores(q, k) * self.scale


def scaled_dot_product_attention(Q, K, V):
    attention = ScaledDot(K.shape[-1])
    out = attention(Q, K, V)
    assert attention.calls == 1 and isinstance(attention, Attention) and issubclass(ScaledDot, Dot)
    return out
