"""What happens at a `class` statement of a submission. Runs inside the jail."""

from __future__ import annotations

import abc
import collections
from collections.abc import Callable, Iterable, MutableMapping
from typing import Any

import torch

from judge.jail.policy.errors import CONSTRUCT, NotAllowed
from judge.jail.policy.rules import Rules, is_special


class NamedTupleBase:
    """Stands for typing.NamedTuple among the bases of a class."""


class ClassMaker:
    """The callable that compiled code passes as `metaclass=`.

    Checks the bases and the special names, makes the class with the metaclass that its bases ask for, and enters it as
    the submission's own.
    """

    __slots__ = ("_rules",)

    def __init__(self, rules: Rules) -> None:
        self._rules = rules

    def __prepare__(self, name: str, bases: tuple[type, ...]) -> MutableMapping[str, object]:
        return _metaclass_of(bases).__prepare__(name, bases)

    def __call__(self, name: str, bases: tuple[Any, ...], body: dict[str, Any]) -> type:
        self._check_special_names(name, body)
        if bases == (NamedTupleBase,):
            return self._named_tuple(name, body)
        for base in bases:
            if not self._may_be_base(base):
                called = base.__name__ if isinstance(base, type) else f"a {type(base).__name__}"
                known = "object, a torch.nn module, an exception, ABC or a class of your own"
                raise NotAllowed(f"class {name}: the base can be {known}, not {called}", CONSTRUCT)
        return self._rules.enter(_metaclass_of(bases)(name, bases, body))

    def named_tuple(
        self,
        typename: str,
        field_names: Iterable[str] | str,
        *,
        rename: bool = False,
        defaults: Iterable[object] | None = None,
    ) -> type:
        """Make a namedtuple and enter it as the submission's own class."""
        make: Callable[..., type] = collections.namedtuple  # noqa: PYI024 - fields are not known here
        return self._rules.enter(make(typename, field_names, rename=rename, defaults=defaults, module="submission"))

    def _named_tuple(self, name: str, body: dict[str, Any]) -> type:
        """`class Out(NamedTuple)`: the annotated names are fields, their values defaults, the rest methods."""
        fields = list(body.get("__annotations__", ()))
        defaults = [body.pop(field) for field in fields if field in body]
        base = self.named_tuple(name, fields, defaults=defaults)
        return self._rules.enter(type(name, (base,), {**body, "__slots__": ()}))

    def _may_be_base(self, base: object) -> bool:
        if not isinstance(base, type) or not issubclass(type(base), type):  # list[int] says that it is a type
            return False
        if base in (object, abc.ABC) or base in self._rules.own:
            return True
        if issubclass(base, torch.nn.Module):
            return base.__module__.startswith("torch.nn.modules")
        return issubclass(base, Exception) and base.__module__ == "builtins"

    def _check_special_names(self, name: str, body: dict[str, Any]) -> None:
        """Compiling refuses these where they are written; this holds however a name got into the body."""
        names = self._rules.names
        for member in body:
            if not is_special(member) or member in names.special_methods:
                continue
            if member not in names.class_body and member not in names.special_assigned:
                raise NotAllowed(f"class {name}: the special name {member} cannot be defined here", CONSTRUCT)


def _metaclass_of(bases: tuple[Any, ...]) -> type:
    """The most derived metaclass among the bases, as Python chooses it."""
    found: type = type
    for base in bases:
        if issubclass(type(base), found):
            found = type(base)
    return found
