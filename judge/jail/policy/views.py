"""Read-only views of modules: the only modules that a submission ever holds. Runs inside the jail.

A real `torch` is one attribute away from `os`; a view has the listed names and nothing else. It has no `__name__`, so
that the fall-back of `from torch import x` to `sys.modules["torch.x"]` finds nothing to start from.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterable, Mapping
from typing import Any, NoReturn

from judge.jail.policy.errors import AttributeNotAllowed


class View:
    """The listed names of one module, as the attributes of an object: `vars(view)` is the table of them.

    `closed_names` maps the names that the real module has, or that the problem forbids, to the sentence that refuses
    them. Every other name is a typo.
    """

    __slots__ = ("__dict__", "closed_names", "dotted_path", "forgets_writes")

    closed_names: dict[str, str]
    dotted_path: str
    forgets_writes: bool
    """Attributes can be set, without effect: torch.backends.cudnn.deterministic = True."""

    def __init__(
        self, path: str, table: Mapping[str, object], closed: dict[str, str], *, forgets_writes: bool = False
    ) -> None:
        vars(self).update(table)
        put = object.__setattr__  # our own __setattr__ refuses
        put(self, "dotted_path", path)
        put(self, "closed_names", closed)
        put(self, "forgets_writes", forgets_writes)

    def __getattr__(self, name: str) -> NoReturn:
        """Refuse what is not in the table, to the guards as well as to `from view import name`."""
        raise self.missing_error(name)

    def missing_error(self, name: str) -> AttributeError:
        """The exception for a name that is not in the table."""
        if name in self.closed_names:
            return AttributeNotAllowed(self.closed_names[name])
        if name.startswith("_"):
            return AttributeNotAllowed(f"{self.dotted_path}.{name} is not available here: it is private")
        return AttributeError(f"module '{self.dotted_path}' has no attribute '{name}'", name=name, obj=self)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeNotAllowed(f"{self.dotted_path} is read-only here: {name} cannot be set")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeNotAllowed(f"{self.dotted_path} is read-only here: {name} cannot be deleted")

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError("modules cannot be copied")

    def __repr__(self) -> str:
        return f"<module '{self.dotted_path}'>"


def real_names(path: str, names: Iterable[str]) -> dict[str, Any]:
    """Those of the names that the real module has, as they are."""
    module = importlib.import_module(path)
    return {name: getattr(module, name) for name in sorted(names) if hasattr(module, name)}


def sentences_for_closed(
    path: str, known: Iterable[str], table: Mapping[str, object], why: Mapping[str, str]
) -> dict[str, str]:
    """A sentence for each name that the real module has and the table has not."""
    real = dir(sys.modules[path]) if path in sys.modules else []
    closed = {name for name in (*known, *real) if name not in table and not name.startswith("_")}
    return {
        name: f"{path}.{name} is not available here: {why[name]}"
        if name in why
        else f"{path}.{name} is not available in this judge"
        for name in closed
    }
