"""What the tests of the policy share: a submission executed in this process, and what is said about it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
import torch

from judge.jail.policy import Compiled, Explained, Language, Refusal, Refused, Sink, explain


@dataclass
class Loaded:
    """A submission that was compiled and whose top level ran."""

    compiled: Compiled
    namespace: dict[str, Any]
    sink: Sink

    def __getitem__(self, name: str) -> Any:
        return self.namespace[name]

    @property
    def printed(self) -> str:
        return self.sink.take()[0]


def restricted(forbid: Any = (), imports: Any = ()) -> Language:
    language = Language.prepare()
    language.restrict(forbid, imports)
    return language


def loaded(source: str | bytes, **policy: Any) -> Loaded:
    language = restricted(**policy)
    compiled = language.compile(source.encode() if isinstance(source, str) else source)
    sink = Sink(64 * 1024)
    namespace = language.namespace(sink)
    exec(compiled.code, namespace)  # noqa: S102 - what the policy compiles is there to be executed
    return Loaded(compiled, namespace, sink)


@pytest.fixture
def load() -> Callable[..., Loaded]:
    """Compile and execute a source: `load(source, forbid=..., imports=...)`."""
    return loaded


@pytest.fixture
def refusals() -> Callable[..., tuple[Refusal, ...]]:
    """What compile() refuses in a source."""

    def of(source: str | bytes, **policy: Any) -> tuple[Refusal, ...]:
        with pytest.raises(Refused) as caught:
            restricted(**policy).compile(source.encode() if isinstance(source, str) else source)
        return caught.value.refusals

    return of


@pytest.fixture
def explained() -> Callable[..., Explained]:
    """What explain() says about the exception that a source raises, at its top level or when its `run()` is called."""

    def of(source: str, **policy: Any) -> Explained:
        try:
            submission = loaded(source, **policy)
            submission["run"]()
        except Refused:
            raise
        except BaseException as error:  # noqa: BLE001 - submissions raise anything
            return explain(error, source)
        pytest.fail("nothing was raised")

    return of


@pytest.fixture
def answer() -> Callable[[torch.Tensor, torch.Tensor, torch.Tensor], torch.Tensor]:
    """Scaled dot-product attention in float64."""

    def of(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
        q, k, v = q.double(), k.double(), v.double()
        return torch.softmax(q @ k.mT / k.shape[-1] ** 0.5, dim=-1) @ v

    return of
