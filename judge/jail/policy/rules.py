"""What the guards know: which names of which types may be read, and which classes are the submission's own.

Runs inside the jail. One Rules belongs to one Language; nothing here is shared between two of them.
"""

from __future__ import annotations

import collections
import functools
import types
from collections.abc import Callable
from dataclasses import dataclass, field
from dataclasses import Field as DataclassField
from typing import Any

import torch

from judge.jail.policy.errors import AttributeNotAllowed
from judge.jail.policy.names import Names

Names_ = frozenset[str]

CONTAINERS: tuple[type, ...] = (
    *(bool, int, float, complex, bytes, list, tuple, dict, set, frozenset, range, slice),
    *(types.NoneType, types.EllipsisType, types.NotImplementedType),
    *(collections.OrderedDict, collections.defaultdict, collections.Counter, collections.deque, torch.Size),
    *(type({}.keys()), type({}.values()), type({}.items())),
)
"""Plain data: every public name may be read, and type() may tell the type."""

_CALLABLES: tuple[type, ...] = (
    *(types.FunctionType, types.BuiltinFunctionType, types.MethodType, types.MethodDescriptorType),
    *(types.WrapperDescriptorType, types.MethodWrapperType, types.ClassMethodDescriptorType),
)
_CALLABLE_NAMES = frozenset(("__name__", "__qualname__", "__doc__", "__call__"))  # not __class__: FunctionType
EXCEPTION_NAMES = frozenset(("args", "value", "code", "__class__", "__doc__", "__str__", "__repr__"))


@dataclass(slots=True)
class Rules:
    """The state of the guards. `restrict` narrows it; classes that the submission makes are entered as they are made."""

    names: Names
    readable: dict[type, Names_] = field(default_factory=dict)
    """For instances of these types, the names that may be read. A type that is not here and not decided below has none."""
    own: dict[type, Names_] = field(default_factory=dict)
    """The submission's own classes, each with the names that stay closed on it and its instances."""
    tensor_closed: dict[str, str] = field(default_factory=dict)
    """Tensor attributes that the problem forbids, with the sentence."""
    type_standins: dict[type, object] = field(default_factory=dict)
    """What type() gives instead of a type whose constructor is unsafe."""
    namespace: dict[str, Any] = field(default_factory=dict)
    """The globals of the submission."""
    module_private: Names_ = frozenset()
    """Private names of torch.nn.Module: its tables of parameters, hooks and children."""

    @classmethod
    def of(cls, names: Names) -> Rules:
        """The rules before any submission."""
        rules = cls(names)
        common = names.special_readable | {"__class__", "__doc__"}
        rules.readable = _readable(names, common)
        members = {*dir(torch.nn.Module), *vars(torch.nn.Module())}
        rules.module_private = frozenset(name for name in members if name.startswith("_"))
        return rules

    def names_of(self, kind: type) -> Names_:
        """The names that may be read on instances of a type met for the first time; remembered."""
        if kind not in self.readable:
            self.readable[kind] = self._decide(kind)
        return self.readable[kind]

    def _decide(self, kind: type) -> Names_:
        if issubclass(kind, torch.Tensor):
            return self.readable[torch.Tensor]
        if issubclass(kind, BaseException):
            return EXCEPTION_NAMES
        if kind.__module__ == "torch.return_types":
            return public(kind) | self.names.special_readable
        return frozenset()

    def enter(self, made: type) -> None:
        """Take note of a class that the submission made."""
        closed = self.names.inspection | {"_abc_impl"}
        if issubclass(made, torch.nn.Module):
            closed |= self.names.module_left_out | self.module_private
        self.own[made] = closed

    def own_defines(self, kind: type, name: str) -> bool:
        """Whether a class of the submission, among the bases of `kind`, defines the name."""
        return any(name in base.__dict__ for base in kind.__mro__ if base in self.own)

    def is_own_function(self, value: object) -> bool:
        """Whether it is a function that the submission itself wrote."""
        return type(value) is types.FunctionType and value.__globals__ is self.namespace

    def refusal(self, value: object, name: str) -> AttributeNotAllowed:
        """The exception for a name that exists and is closed."""
        kind = type(value)
        if issubclass(kind, torch.Tensor) or value is torch.Tensor:
            if name in self.tensor_closed:
                return AttributeNotAllowed(self.tensor_closed[name])
            if name in self.names.why_tensor:
                return AttributeNotAllowed(f"Tensor.{name} is not available here: {self.names.why_tensor[name]}")
            if name == "numpy":
                return AttributeNotAllowed("Tensor.numpy is not available here: the task asks for PyTorch operations")
        if name.startswith("_"):
            return AttributeNotAllowed(f"the attribute {name} is not available here")
        what = f"the class {value.__name__}" if isinstance(value, type) else f"{kind.__name__} objects"
        return AttributeNotAllowed(f"the attribute {name} of {what} is not available here")


def public(kind: type) -> Names_:
    """The public names of a type."""
    return frozenset(name for name in dir(kind) if not name.startswith("_"))


def exists(kind: type, name: str) -> bool:
    """Whether instances of the type have the attribute at all: a plain typo deserves Python's own message."""
    return any(name in base.__dict__ for base in kind.__mro__)


def _readable(names: Names, common: Names_) -> dict[type, Names_]:
    tensor = names.tensor_readable | common
    table: dict[type, Names_] = {kind: public(kind) | common for kind in CONTAINERS}
    table |= dict.fromkeys(_CALLABLES, _CALLABLE_NAMES)
    table |= {
        str: (public(str) - {"format", "format_map"}) | common,
        torch.Tensor: tensor,
        torch.nn.Parameter: tensor,
        torch.dtype: frozenset(("is_floating_point", "is_complex", "is_signed", "itemsize", "to_complex", "to_real")),
        torch.device: frozenset(("type", "index")),
        torch.finfo: public(torch.finfo),
        torch.iinfo: public(torch.iinfo),
        torch.Generator: frozenset(("manual_seed", "seed", "initial_seed", "device")),
        types.GeneratorType: frozenset(("send", "close", "__iter__", "__next__")),  # not throw: it takes a traceback
        functools.partial: _CALLABLE_NAMES | {"func", "args", "keywords"},
        functools._lru_cache_wrapper: _CALLABLE_NAMES | {"cache_clear", "cache_info"},  # noqa: SLF001 - has no other name
        type(_cache_info()): frozenset(("hits", "misses", "maxsize", "currsize")),
        property: frozenset(("setter", "getter", "deleter")),
        DataclassField: frozenset(("name", "default", "type")),
    }
    return table


def _cache_info() -> object:
    @functools.cache
    def nothing() -> None: ...

    return nothing.cache_info()


Reader = Callable[[object, str], Any]
"""`a.b` as a function: (a, "b") -> value."""
