"""The guard behind every attribute write and delete of a submission. Runs inside the jail."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import torch

from judge.jail.policy.errors import AttributeNotAllowed
from judge.jail.policy.rules import Rules
from judge.jail.policy.views import View

Writer = Callable[[Any, str], Any]


def make_writer(rules: Rules) -> Writer:
    """The function that the compiled submission calls for `a.b = v`, as `write(a, "b").b = v`.

    Gives back the object itself where the name may be set. What may not be read may not be set either: `a.b += v` reads.
    """
    names = rules.names

    def write(value: Any, name: str) -> Any:  # noqa: ANN401 - any object
        kind = type(value)
        if kind in rules.own:
            allowed = not _is_special(name) and name not in rules.own[kind]
        elif issubclass(kind, type):
            allowed = value in rules.own and not _is_special(name) and name not in rules.own[value]
        elif issubclass(kind, torch.Tensor):
            allowed = name in names.tensor_writable
        elif kind is View and value._writable:
            return types.SimpleNamespace()  # torch.backends.cudnn.deterministic = True: accepted and forgotten
        elif kind is View or name.startswith("_"):
            allowed = False
        else:
            open_module = issubclass(kind, torch.nn.Module) and name not in names.module_left_out
            allowed = open_module or rules.is_own_function(value)
        if not allowed:
            raise _refusal(value, kind, name)
        return value

    return write


def make_setattr(write: Writer) -> Callable[[object, str, object], None]:
    """The builtin setattr() of a submission."""

    def setattr_(value: object, name: str, new: object) -> None:
        if type(name) is not str:
            raise TypeError("attribute name must be a string")
        if name.startswith("__"):
            raise AttributeNotAllowed(f"the attribute {name} cannot be set here")
        setattr(write(value, name), name, new)

    setattr_.__name__ = setattr_.__qualname__ = "setattr"
    return setattr_


def _refusal(value: Any, kind: type, name: str) -> AttributeNotAllowed:  # noqa: ANN401 - any object
    if kind is View:
        return AttributeNotAllowed(f"{value._path} is read-only here: {name} cannot be set")
    if issubclass(kind, torch.Tensor):
        instead = ": write into the tensor with .copy_() or x[...] = ..." if name == "data" else ""
        return AttributeNotAllowed(f"Tensor.{name} cannot be set here{instead}")
    what = f"the class {value.__name__}" if issubclass(kind, type) else f"{kind.__name__} objects"
    return AttributeNotAllowed(f"the attribute {name} of {what} cannot be set here")


def _is_special(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")
