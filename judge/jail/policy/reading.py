"""The guard behind every attribute read `a.b` of a submission. Runs inside the jail.

Which names a value shows depends on what it is:

    data (tensors, numbers, lists, ...)   the names listed for its type
    a view of a module                    the names in the view
    an object of an own class             what the submission put there; of torch.nn.Module's names, the open ones
    a class, super()                      the same, without the way back to `type`
    anything else                         nothing
"""

from __future__ import annotations

import string

import torch

from judge.jail.policy.errors import AttributeNotAllowed
from judge.jail.policy.rules import Reader, Rules, exists, is_special
from judge.jail.policy.views import View

_CLASS_NAMES = frozenset(("__name__", "__qualname__", "__doc__", "__call__", "__eq__", "__ne__"))
_SUPER_SPECIAL = frozenset(
    (
        *("__init__", "__call__", "__repr__", "__str__", "__enter__", "__exit__", "__len__", "__getitem__"),
        *("__eq__", "__hash__", "__iter__", "__contains__"),
    )
)


def make_hook(rules: Rules) -> Reader:
    """The function that compiled code calls for `a.b`: the frequent types at one look, the rest through Guard.

    It relies on the checker for the name: `b` was written in the source, so it is no closed special name.
    """
    closed, slowly = rules.closed, Guard(rules).read

    def read(value: object, name: str) -> object:
        names = closed.get(type(value))
        if names is not None and name not in names:
            return getattr(value, name)
        return slowly(value, name)

    return read


class Guard:
    """Decides about any name on any value: also what getattr() of a submission goes through."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._special = rules.names.special_attributes | rules.names.special_methods

    def read(self, value: object, name: str) -> object:
        """The attribute; AttributeNotAllowed for a closed one, AttributeError for one that does not exist."""
        kind = type(value)
        if isinstance(value, View) and kind is View:
            return self._of_view(value, name)
        if name in self._rules.names.inspection:
            raise self._rules.refusal(value, name)
        if kind in self._rules.own:
            return self._if(self._own_shows(kind, name), value, name)
        if isinstance(value, type) and issubclass(kind, type):  # list[int] says that its __class__ is type
            return self._if(self._class_shows(value, name), value, name)
        if kind is super:
            return self._of_super(value, name)
        if issubclass(kind, torch.nn.Module):
            return self._if(self._module_shows(name), value, name)
        return self._of_data(value, kind, name)

    def _if(self, shows: bool, value: object, name: str) -> object:  # noqa: FBT001 - reads as a condition
        if not shows:
            raise self._rules.refusal(value, name)
        return getattr(value, name)

    @staticmethod
    def _of_view(view: View, name: str) -> object:
        if name in vars(view):
            return vars(view)[name]
        if name == "__doc__":
            return None
        raise view.missing_error(name)

    def _of_data(self, value: object, kind: type, name: str) -> object:
        if name in self._rules.readable_on(kind):
            return getattr(value, name)
        if type(value) is str and name == "format":
            return SafeFormat(value)
        if not name.startswith("_"):
            if self._rules.is_own_function(value) and name in vars(value):
                return vars(value)[name]
            if not exists(kind, name):  # a plain typo: what Python itself says
                raise AttributeError(f"'{kind.__name__}' object has no attribute '{name}'", name=name, obj=value)
        raise self._rules.refusal(value, name)

    def _own_shows(self, kind: type, name: str) -> bool:
        return name in self._special if is_special(name) else name not in self._rules.own[kind]

    def _module_shows(self, name: str) -> bool:
        """Objects of torch's own module classes."""
        return name in self._special or not (name.startswith("_") or name in self._rules.names.module_left_out)

    def _class_shows(self, cls: type, name: str) -> bool:
        if name in _CLASS_NAMES:
            return True
        if name == "__class__":  # the class of a class is `type`
            return False
        if cls in self._rules.own:
            return self._own_shows(cls, name) and (
                is_special(name) or not name.startswith("_") or self._rules.own_defines(cls, name)
            )
        if name == "__init__":
            return cls is object or issubclass(cls, (torch.nn.Module, Exception))
        if issubclass(cls, torch.nn.Module):
            return not name.startswith("_") and name not in self._rules.names.module_left_out
        return name in self._rules.readable.get(cls, ())

    def _of_super(self, value: object, name: str) -> object:
        # Through the type's own descriptors: a plain value.__self__ would ask the object behind super().
        instance, kind = _super_part("__self__", value), _super_part("__self_class__", value)
        shows = name in _SUPER_SPECIAL
        if not shows and isinstance(kind, type) and kind in self._rules.own and not issubclass(kind, BaseException):
            shows = not name.startswith("_") or self._rules.own_defines(kind, name)
            shows = shows and name not in self._rules.own[kind]
        if not shows:
            raise self._rules.refusal(instance, name)
        return getattr(value, name)


def _super_part(name: str, value: object) -> object:
    return super.__dict__[name].__get__(value)


class SafeFormat:
    """`"...".format` without attribute look-ups: `{}`, `{0}`, `{name}` and `{0[1]}` work, `{0.shape}` does not."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def __call__(self, *values: object, **named: object) -> str:
        _refuse_dotted_fields(self._text)
        return self._text.format(*values, **named)


def _refuse_dotted_fields(text: str, *, nested: bool = False) -> None:
    for _, field, spec, _ in string.Formatter().parse(text):
        if field and "." in field:
            message = "str.format() cannot read attributes here: use an f-string, for example f'{x.shape}'"
            raise AttributeNotAllowed(message)
        if spec and not nested:  # Python allows one level
            _refuse_dotted_fields(spec, nested=True)
