"""What the guards know: which names of which types may be read, and which classes are the submission's own.

Runs inside the jail. One Rules belongs to one Language; nothing here is shared between two of them.
"""

from __future__ import annotations

import collections
import functools
import types
from collections.abc import Callable
from dataclasses import Field, dataclass, field
from typing import Any

import torch

from judge.jail.policy.errors import AttributeNotAllowed
from judge.jail.policy.names import Names
from judge.jail.policy.views import View

NameSet = frozenset[str]
Reader = Callable[[Any, str], object]
"""`a.b` as a function: (a, "b") -> value."""

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
_EXCEPTION_NAMES = frozenset(("args", "value", "code", "__class__", "__doc__", "__str__", "__repr__"))


@dataclass(slots=True)
class Rules:
    """The state of the guards. A problem's policy narrows it; own classes are entered as they are made."""

    names: Names
    readable: dict[type, NameSet] = field(default_factory=dict)
    """For each type, the names that may be read on its instances. On a type that is not here: none."""
    own: dict[type, NameSet] = field(default_factory=dict)
    """The submission's own classes, each with the names that stay closed on it and on its instances."""
    closed: dict[type, NameSet] = field(default_factory=dict)
    """For the quick look at frequent types: the names that exist on an instance and are not for reading."""
    tensor_closed: dict[str, str] = field(default_factory=dict)
    """Tensor attributes that the problem forbids, with the sentence."""
    type_standins: dict[type, object] = field(default_factory=dict)
    """What type() gives instead of a type whose constructor is unsafe."""
    namespace: dict[str, Any] = field(default_factory=dict)
    """The globals of the submission."""
    private: dict[type, NameSet] = field(default_factory=dict)
    """Private names of torch.nn.Module and other bases: tables of parameters, hooks and children."""

    @classmethod
    def of(cls, names: Names) -> Rules:
        """The rules before any submission."""
        rules = cls(names)
        common = names.special_readable | {"__class__", "__doc__"}
        tensor = names.tensor_readable | common
        quick = {kind: (public(kind) - {"mapping"}) | common for kind in CONTAINERS}
        quick |= {str: (public(str) - {"format", "format_map"}) | common, torch.Tensor: tensor}
        quick |= {torch.nn.Parameter: tensor}
        for kind, readable in quick.items():
            rules.show(kind, readable)
        rules.closed[View] = frozenset(dir(View))
        rules.readable |= _other_types()
        rules.private_of(torch.nn.Module)
        return rules

    def show(self, kind: type, readable: NameSet) -> None:
        """Let these names be read on instances of a type that keeps nothing of its own in an instance dict."""
        self.readable[kind] = readable
        self.closed[kind] = frozenset(dir(kind)) - readable

    def show_on_tensors(self, change: Callable[[NameSet], NameSet]) -> None:
        """Change what may be read on tensors of every kind."""
        for kind, readable in list(self.readable.items()):
            if issubclass(kind, torch.Tensor):
                self.show(kind, change(readable))

    def readable_on(self, kind: type) -> NameSet:
        """The names that may be read on instances of a type; decided when the type is first met."""
        if kind not in self.readable:
            if issubclass(kind, torch.Tensor):
                self.show(kind, self.readable[torch.Tensor])
            elif issubclass(kind, BaseException):
                self.readable[kind] = _EXCEPTION_NAMES
            elif kind.__module__ == "torch.return_types":
                self.show(kind, public(kind) | self.names.special_readable)
            else:
                self.readable[kind] = frozenset()
        return self.readable[kind]

    def unguarded(self) -> NameSet:
        """The names that may be read without a guard: those that no type keeps closed."""
        return self.names.plain.difference(*self.closed.values(), self.names.module_left_out, self.names.inspection)

    def enter(self, made: type) -> type:
        """Take note of a class that the submission made."""
        special = self.names.special_attributes | self.names.special_methods
        hidden = {name for name in dir(made) if is_special(name)} | {"_abc_impl"}
        hidden.update(*(self.private_of(base) for base in made.__mro__ if base is not made and base not in self.own))
        closed = self.names.inspection | (hidden - special)
        if issubclass(made, torch.nn.Module):
            closed |= self.names.module_left_out
        self.own[made] = self.closed[made] = closed
        return made

    def private_of(self, base: type) -> NameSet:
        """Private names that a class of torch or Python has, or that its code uses on its instances."""
        if base not in self.private:
            names = {*vars(base)}
            for member in vars(base).values():
                names.update(*(code.co_names for code in _codes_of(member)))
            self.private[base] = frozenset(name for name in names if name.startswith("_"))
        return self.private[base]

    def own_defines(self, kind: type, name: str) -> bool:
        """Whether a class of the submission, among the bases of `kind`, defines the name."""
        return any(name in base.__dict__ for base in kind.__mro__ if base in self.own)

    def is_own_function(self, value: object) -> bool:
        """Whether it is a function that the submission itself wrote."""
        return type(value) is types.FunctionType and value.__globals__ is self.namespace

    def refusal(self, value: object, name: str) -> AttributeNotAllowed:
        """The exception for a name that exists and is closed."""
        kind = type(value)
        if issubclass(value if isinstance(value, type) else kind, torch.Tensor):
            if name in self.tensor_closed:
                return AttributeNotAllowed(self.tensor_closed[name])
            if name in self.names.why_tensor:
                return AttributeNotAllowed(f"Tensor.{name} is not available here: {self.names.why_tensor[name]}")
        if name.startswith("_"):
            return AttributeNotAllowed(f"the attribute {name} is not available here")
        what = f"the class {value.__name__}" if isinstance(value, type) else f"{kind.__name__} objects"
        return AttributeNotAllowed(f"the attribute {name} of {what} is not available here")


def public(kind: type) -> NameSet:
    """The public names of a type."""
    return frozenset(name for name in dir(kind) if not name.startswith("_"))


def exists(kind: type, name: str) -> bool:
    """Whether instances of the type have the attribute at all: a plain typo deserves Python's own message."""
    return any(name in base.__dict__ for base in kind.__mro__)


def is_special(name: str) -> bool:
    """`__init__`, but not `__private`."""
    return name.startswith("__") and name.endswith("__")


def _codes_of(member: object) -> list[types.CodeType]:
    """The code of a method, property or decorated function, with the functions inside it."""
    codes: list[types.CodeType] = []
    parts = [member]
    for part in parts:
        if isinstance(part, types.CodeType):
            codes.append(part)
            parts.extend(part.co_consts)
        elif not isinstance(part, type):
            inner = ("__code__", "__func__", "__wrapped__", "fget", "fset", "func")
            parts += [getattr(part, name) for name in inner if hasattr(part, name)]
    return codes


def _other_types() -> dict[type, NameSet]:
    return dict.fromkeys(_CALLABLES, _CALLABLE_NAMES) | {
        torch.dtype: frozenset(("is_floating_point", "is_complex", "is_signed", "itemsize", "to_complex", "to_real")),
        torch.device: frozenset(("type", "index")),
        torch.finfo: public(torch.finfo),
        torch.iinfo: public(torch.iinfo),
        torch.Generator: frozenset(("manual_seed", "seed", "initial_seed", "device")),
        types.GeneratorType: frozenset(("send", "close", "__iter__", "__next__")),  # not throw: it takes a traceback
        functools.partial: _CALLABLE_NAMES | {"func", "args", "keywords"},
        type(functools.cache(int)): _CALLABLE_NAMES | {"cache_clear", "cache_info"},
        type(functools.cache(int).cache_info()): frozenset(("hits", "misses", "maxsize", "currsize")),
        property: frozenset(("setter", "getter", "deleter")),
        Field: frozenset(("name", "default", "type")),
    }
