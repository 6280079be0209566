from __future__ import annotations

import typing as t
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Annotated, Final, Generic, Literal, Protocol, TypeVar, cast, overload

import torch

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from torch.types import Device

T = TypeVar("T", bound=torch.Tensor)
Scale = t.NewType("Scale", float)
Mode = Literal["row", "column"]
EPS: Final = 0.0
Rows = Annotated[torch.Tensor, "rows"]


class Scorer(Protocol):
    def score(self, q: torch.Tensor, k: torch.Tensor) -> torch.Tensor: ...


class Box(Generic[T]):
    def __init__(self, value: T) -> None:
        self.value: T = value


class Dot:
    def score(self, q, k):
        return q @ k.mT


@overload
def root(x: int) -> float: ...
@overload
def root(x: float) -> float: ...
def root(x):
    return x**0.5


def attend(scorer: Scorer, q: Rows, k: Rows, v: Rows, mode: Mode = "row", f: Callable[..., T] | None = None) -> T:
    scores = scorer.score(q, k) / Scale(root(k.shape[-1]))
    return cast("torch.Tensor", torch.softmax(scores + EPS, dim=-1 if mode == "row" else -2) @ v)


def scaled_dot_product_attention(Q, K, V):
    assert isinstance([1], Iterable) and isinstance(root, Callable)
    return Box(attend(Dot(), Q, K, V)).value
