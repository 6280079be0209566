"""What happens at a `class` statement of a submission. Runs inside the jail."""

from __future__ import annotations

import abc
import collections
from collections.abc import Iterable, MutableMapping
from typing import Any

import torch

from judge.jail.policy.errors import CONSTRUCT, NotAllowed
from judge.jail.policy.rules import Rules


class NamedTupleBase:
    """Stands for typing.NamedTuple among the bases of a class."""


class ClassMaker:
    """The callable that the compiled submission passes as `metaclass=`: checks the bases and the special names, makes the
    class with the metaclass that its bases ask for, and enters it as the submission's own."""

    __slots__ = ("_rules",)

    def __init__(self, rules: Rules) -> None:
        self._rules = rules

    def __prepare__(self, name: str, bases: tuple[Any, ...]) -> MutableMapping[str, object]:
        return _metaclass_of(bases).__prepare__(name, bases)

    def __call__(self, name: str, bases: tuple[Any, ...], body: dict[str, Any]) -> type:
        self._check_special_names(name, body)
        if bases == (NamedTupleBase,):
            return self._named_tuple(name, body)
        for base in bases:
            if not self._may_be_base(base):
                called = getattr(base, "__name__", type(base).__name__)
                message = (
                    f"class {name}: the base can be object, a torch.nn module, an exception, ABC or a class of your own, "
                    f"not {called}"
                )
                raise NotAllowed(message, CONSTRUCT)
        return self._entered(_metaclass_of(bases)(name, bases, body))

    def named_tuple(self, name: str, fields: Iterable[str] | str, **options: Any) -> type:  # noqa: ANN401 - passed on
        """collections.namedtuple, entered as the submission's own class."""
        return self._entered(collections.namedtuple(name, fields, module="submission", **options))  # type: ignore[misc]  # noqa: PYI024 - made from the submission's words

    def _named_tuple(self, name: str, body: dict[str, Any]) -> type:
        """`class Out(NamedTuple)`: the annotated names are fields, their values defaults, the rest methods."""
        fields = list(body.get("__annotations__", ()))
        defaults = [body.pop(field) for field in fields if field in body]
        base = self.named_tuple(name, fields, defaults=defaults)
        return self._entered(type(name, (base,), {**body, "__slots__": ()}))

    def _entered(self, made: type) -> type:
        self._rules.enter(made)
        return made

    def _may_be_base(self, base: Any) -> bool:  # noqa: ANN401 - the submission may have written anything
        if base is object or base is abc.ABC:
            return True
        if not issubclass(type(base), type):
            return False
        if base in self._rules.own:
            return True
        if issubclass(base, torch.nn.Module):
            return base.__module__.startswith("torch.nn.modules")
        return issubclass(base, Exception) and base.__module__ == "builtins"

    def _check_special_names(self, name: str, body: dict[str, Any]) -> None:
        """Compiling has refused these by name; this holds however a name got into the body."""
        names = self._rules.names
        for member in body:
            if member.startswith("__") and member.endswith("__"):
                if member in names.special_methods or member in names.class_body or member in names.special_assigned:
                    continue
                raise NotAllowed(f"class {name}: the special name {member} cannot be defined here", CONSTRUCT)


def _metaclass_of(bases: tuple[Any, ...]) -> Any:  # noqa: ANN401 - a metaclass
    """The most derived metaclass among the bases, as Python chooses it."""
    found: type = type
    for base in bases:
        if issubclass(type(base), found):
            found = type(base)
    return found
