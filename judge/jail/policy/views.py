"""Read-only views of modules: the only modules that a submission ever holds. Runs inside the jail.

A real `torch` is one attribute away from `os`; a view has the listed names and nothing else. It has no `__name__` and no
`__dict__`, so that the fall-back of `from torch import x` to `sys.modules["torch.x"]` finds nothing to start from.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterable, Mapping
from typing import Any, NoReturn

from judge.jail.policy.errors import AttributeNotAllowed


class View:
    """The listed names of one module.

    `table` holds them; `closed` maps the names that exist in the real module, or that the problem forbids, to the sentence
    that refuses them. Both belong to the policy, which empties them of what a problem forbids. Everything else is a typo.
    """

    __slots__ = ("_closed", "_path", "_table", "_writable")

    def __init__(self, path: str, table: dict[str, Any], closed: dict[str, str], *, writable: bool = False) -> None:
        set_slot = object.__setattr__
        set_slot(self, "_path", path)
        set_slot(self, "_table", table)
        set_slot(self, "_closed", closed)
        set_slot(self, "_writable", writable)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the module holds
        """Serve the interpreter itself (`from view import name`, `import *`); submissions come through the guards."""
        if name in self._table:
            return self._table[name]
        if name == "__all__":
            return [public for public in self._table if not public.startswith("_")]
        raise self._missing(name)

    def _missing(self, name: str) -> AttributeError:
        if name in self._closed:
            return AttributeNotAllowed(self._closed[name])
        if name.startswith("_"):
            return AttributeNotAllowed(f"{self._path}.{name} is not available here: it is private")
        return AttributeError(f"module '{self._path}' has no attribute '{name}'", name=name, obj=self)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeNotAllowed(f"{self._path} is read-only here: {name} cannot be set")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeNotAllowed(f"{self._path} is read-only here: {name} cannot be deleted")

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError("modules cannot be copied")

    def __repr__(self) -> str:
        return f"<module '{self._path}'>"


def real_names(path: str, names: Iterable[str]) -> dict[str, Any]:
    """Those of the names that the real module has, as they are."""
    module = importlib.import_module(path)
    return {name: getattr(module, name) for name in sorted(names) if hasattr(module, name)}


def closed_names(path: str, known: Iterable[str], table: Mapping[str, Any], why: Mapping[str, str]) -> dict[str, str]:
    """A sentence for each name that the real module has and the view has not."""
    real = [name for name in dir(sys.modules.get(path)) if not name.startswith("_")] if path in sys.modules else []
    return {
        name: f"{path}.{name} is not available here: {why[name]}"
        if name in why
        else f"{path}.{name} is not available in this judge"
        for name in {*known, *real}
        if name not in table
    }
