"""The guard behind every attribute read `a.b` of a submission. Runs inside the jail.

Which names a value shows depends on what it is:

    data (tensors, numbers, lists, ...)   the names listed for its type
    a view of a module                    the names in the view
    an object of an own class             what the submission itself put there; of torch.nn.Module's names, the open ones
    a class, super()                      the same, without the way back to `type`
    anything else                         nothing
"""

from __future__ import annotations

import string
import types
from collections.abc import Callable
from typing import Any

import torch

from judge.jail.policy.errors import AttributeNotAllowed
from judge.jail.policy.rules import Reader, Rules, exists
from judge.jail.policy.views import View

_CLASS_NAMES = frozenset(("__name__", "__qualname__", "__doc__", "__call__", "__eq__", "__ne__"))
_SUPER_SPECIAL = frozenset(
    (
        *("__init__", "__call__", "__repr__", "__str__", "__enter__", "__exit__", "__len__", "__getitem__", "__eq__"),
        *("__hash__", "__iter__", "__contains__"),
    )
)


def make_reader(rules: Rules) -> Reader:
    """The function that the compiled submission calls for `a.b`: the common cases here, the rest in _Slow.

    A closure over three dictionaries, because this is the one place where the policy costs the submission time.
    """
    readable, own = rules.readable, rules.own
    slowly = _Slow(rules).read

    def read(value: object, name: str) -> Any:  # noqa: ANN401 - any attribute
        kind = type(value)
        names = readable.get(kind)
        if names is not None:
            if name in names:
                return getattr(value, name)
        elif kind is View:
            found = value._table.get(name)  # type: ignore[attr-defined]
            if found is not None:
                return found
        else:
            closed = own.get(kind)
            if closed is not None and name[:1] != "_" and name not in closed:
                return getattr(value, name)
        return slowly(value, kind, name)

    return read


class _Slow:
    """Everything that make_reader's first look does not settle."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._names = rules.names
        self._special = rules.names.special_attributes | rules.names.special_methods

    def read(self, value: object, kind: type, name: str) -> Any:  # noqa: ANN401 - any attribute
        if kind is View:
            return self._of_view(value, name)
        if name in self._names.inspection:
            raise self._rules.refusal(value, name)
        if kind in self._rules.own:
            return self._of_own(value, kind, name)
        if issubclass(kind, type):  # not isinstance(): list[int].__class__ is type
            return self._of_class(value, name)  # type: ignore[arg-type]
        if kind is super:
            return self._of_super(value, name)
        if issubclass(kind, torch.nn.Module):
            return self._of_module(value, name)
        return self._of_data(value, kind, name)

    @staticmethod
    def _of_view(value: View, name: str) -> Any:  # noqa: ANN401 - any attribute
        if name in value._table:
            return value._table[name]
        if name == "__doc__":
            return None
        raise value._missing(name)

    def _of_data(self, value: object, kind: type, name: str) -> Any:  # noqa: ANN401 - any attribute
        if name in self._rules.names_of(kind):
            return getattr(value, name)
        if kind is str and name == "format":
            return SafeFormat(value)  # type: ignore[arg-type]
        if not name.startswith("_"):
            if self._rules.is_own_function(value) and name in vars(value):
                return vars(value)[name]
            if not exists(kind, name):  # a plain typo: what Python itself says
                raise AttributeError(f"'{kind.__name__}' object has no attribute '{name}'", name=name, obj=value)
        raise self._rules.refusal(value, name)

    def _of_own(self, value: object, kind: type, name: str) -> Any:  # noqa: ANN401 - any attribute
        if _is_special(name):
            allowed = name in self._special
        elif name in self._rules.own[kind]:
            allowed = False
        else:
            allowed = not name.startswith("_") or self._rules.own_defines(kind, name) or not exists(kind, name)
        if not allowed:
            raise self._rules.refusal(value, name)
        return getattr(value, name)

    def _of_module(self, value: object, name: str) -> Any:  # noqa: ANN401 - any attribute
        """Modules made of torch's own classes."""
        if name.startswith("_") and name not in self._special or name in self._names.module_left_out:
            raise self._rules.refusal(value, name)
        return getattr(value, name)

    def _of_class(self, cls: type, name: str) -> Any:  # noqa: ANN401 - any attribute
        allowed = name in _CLASS_NAMES
        if not allowed:
            allowed = self._own_class_shows(cls, name) if cls in self._rules.own else self._class_shows(cls, name)
        if not allowed:
            raise self._rules.refusal(cls, name)
        return getattr(cls, name)

    def _own_class_shows(self, cls: type, name: str) -> bool:
        if _is_special(name):
            return name in self._special and name != "__class__"  # the class of a class is `type`
        if name in self._rules.own[cls]:
            return False
        return not name.startswith("_") or self._rules.own_defines(cls, name)

    def _class_shows(self, cls: type, name: str) -> bool:
        if name == "__init__":
            return cls is object or issubclass(cls, (torch.nn.Module, Exception))
        if issubclass(cls, torch.nn.Module):
            return not name.startswith("_") and name not in self._names.module_left_out
        return name != "__class__" and name in self._rules.readable.get(cls, ())

    def _of_super(self, value: Any, name: str) -> Any:  # noqa: ANN401 - super object
        # Through the type's own descriptors: reading value.__self__ plainly would ask the object behind super().
        instance, kind = super.__self__.__get__(value), super.__self_class__.__get__(value)  # type: ignore[attr-defined]
        if name in _SUPER_SPECIAL:
            return getattr(value, name)
        if kind not in self._rules.own or name in self._rules.own[kind] or issubclass(kind, BaseException):
            raise self._rules.refusal(instance, name)
        if name.startswith("_") and not self._rules.own_defines(kind, name):
            raise self._rules.refusal(instance, name)
        return getattr(value, name)


class SafeFormat:
    """`"...".format` without attribute look-ups: `{}`, `{0}`, `{name}` and `{0[1]}` work, `{0.shape}` does not."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def __call__(self, *values: object, **named: object) -> str:
        _refuse_dotted_fields(self._text)
        return self._text.format(*values, **named)


def _refuse_dotted_fields(text: str, depth: int = 0) -> None:
    for _, field, spec, _ in string.Formatter().parse(text):
        if field and "." in field:
            raise AttributeNotAllowed(
                "str.format() cannot read attributes here: use an f-string, for example f'{x.shape}'"
            )
        if spec and depth < 2:  # noqa: PLR2004 - Python itself allows one level
            _refuse_dotted_fields(spec, depth + 1)


def _is_special(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")
