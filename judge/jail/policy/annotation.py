"""Stand-ins for names that only occur in annotations: typing, collections.abc, jaxtyping. Runs inside the jail.

Annotations are erased before anything runs, so these names have to exist and mean nothing; what is used at run time
(isinstance, base classes, cast, NamedTuple) does what honest code expects.
"""

from __future__ import annotations

import collections.abc
from typing import Any

from judge.jail.policy.classes import NamedTupleBase

Table = dict[str, Any]


def unchanged(function: object = None, *_args: object, **_options: object) -> object:
    """torch.compile, torch.jit.script, beartype, ...: `@d` and `@d(...)` both give the function back as it is."""
    return function if callable(function) else _same


def _same(value: object) -> object:
    return value


class Annotation:
    """A name of typing or jaxtyping. It can be subscripted, called, joined with `|` and be a base; it means nothing."""

    __slots__ = ("_kind", "_name")

    def __init__(self, name: str) -> None:
        self._name = name
        self._kind = getattr(collections.abc, name, None)

    def __getitem__(self, _parameters: object) -> Annotation:
        return self

    def __call__(self, *_args: object, **_options: object) -> Annotation:
        return self

    def __or__(self, _other: object) -> Annotation:
        return self

    __ror__ = __or__

    def __mro_entries__(self, _bases: object) -> tuple[type, ...]:
        return ()

    def __instancecheck__(self, value: object) -> bool:
        if self._kind is None:
            raise TypeError(f"{self._name} cannot be used with isinstance() here")
        return isinstance(value, self._kind)

    def __repr__(self) -> str:
        return self._name


class _NamedTuple:
    """typing.NamedTuple as a base class: ClassMaker does the rest."""

    __slots__ = ()

    def __mro_entries__(self, _bases: object) -> tuple[type, ...]:
        return (NamedTupleBase,)


def annotation_table(names: frozenset[str], transparent: frozenset[str]) -> Table:
    """A module that holds nothing but names for annotations."""
    return {name: unchanged if name in transparent else Annotation(name) for name in sorted(names)}


def typing_table(names: frozenset[str], transparent: frozenset[str]) -> Table:
    """For typing and typing_extensions."""
    return annotation_table(names, transparent) | {
        "TYPE_CHECKING": False,
        "NamedTuple": _NamedTuple(),
        "cast": lambda _kind, value: value,
        "NewType": lambda _name, _kind: _same,
    }
