"""Which names a source binds, imports and uses, judged when the whole tree has been seen. Runs inside the jail."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from judge.jail.policy.errors import IMPORT, NAME
from judge.jail.policy.names import Names
from judge.jail.policy.trees import Import, at, dotted
from judge.jail.policy.views import View


class Report(Protocol):
    """Where refusals go: a node, a sentence, a code."""

    def __call__(self, node: ast.AST, info: str, code: str) -> None: ...


@dataclass(frozen=True, slots=True)
class _Unavailable:
    """An import of something that a submission does not get: refused if the source uses it, else left out."""

    holder: ast.If
    """Stands around the statement, so that it can still be taken out."""
    statement: Import
    alias: ast.alias
    message: str
    code: str
    forbidden: bool
    """The problem forbids it by name: refused in any case."""


class Bindings:
    """The names of one source."""

    def __init__(self, names: Names, views: Mapping[str, View], forbidden: Mapping[str, str], report: Report) -> None:
        self.remarks: list[tuple[int, str]] = []
        self._names = names
        self._views = views
        self._forbidden = forbidden
        self._report = report
        self._loads: dict[str, list[ast.Name]] = {}
        self._bound: Counter[str] = Counter()
        self._modules: dict[str, View] = {}
        """Name to the view that an import binds it to."""
        self._paths: list[tuple[ast.Attribute, tuple[str, ...]]] = []
        self._unavailable: list[_Unavailable] = []

    def load(self, node: ast.Name) -> None:
        """A name is read."""
        self._loads.setdefault(node.id, []).append(node)

    def bind(self, name: str) -> None:
        """A name is assigned, imported, defined or a parameter."""
        self._bound[name] += 1

    def attribute(self, node: ast.Attribute) -> None:
        """An attribute is read. To be called before the node is changed."""
        if path := dotted(node):
            self._paths.append((node, path))

    def import_module(self, node: ast.Import, *, may_fail: bool) -> ast.stmt:
        """`import a.b, c as d`. `may_fail`: it stands in a `try` that catches ImportError."""
        unavailable = []
        for alias in node.names:
            bound = alias.asname or alias.name.partition(".")[0]
            if alias.name in self._views:
                self._bind_view(bound, self._views[alias.name if alias.asname else bound])
            else:
                self.bind(bound)
                unavailable.append((alias, self._why_not(alias.name), IMPORT, alias.name in self._forbidden))
        return node if may_fail else self._held(node, unavailable)

    def import_names(self, node: ast.ImportFrom, *, may_fail: bool) -> ast.stmt:
        """`from a import b, c as d`."""
        module = node.module or ""
        view = self._views.get(module)
        unavailable = []
        for alias in node.names:
            bound = alias.asname or alias.name
            if alias.name == "*":
                self._check_star(node, module, view)
            elif view is None:
                self.bind(bound)
                unavailable.append((alias, self._why_not(module), IMPORT, module in self._forbidden))
            elif alias.name not in vars(view):
                self.bind(bound)
                is_forbidden = f"{module}.{alias.name}" in self._forbidden
                unavailable.append((alias, str(view.missing_error(alias.name)), NAME, is_forbidden))
            elif isinstance(found := vars(view)[alias.name], View):
                self._bind_view(bound, found)
            else:
                self.bind(bound)
        return node if may_fail else self._held(node, unavailable)

    def finish(self) -> None:
        """Report refused builtins, closed names of modules, and imports of what is not available if it is used."""
        for name, sentence in self._names.refused_builtins.items():
            if name in self._loads and name not in self._bound:
                for node in self._loads[name]:
                    self._report(node, sentence, NAME)
        for attribute, path in self._paths:
            self._check_path(attribute, path)
        for found in self._unavailable:
            self._drop_or_report(found)

    def _why_not(self, module: str) -> str:
        return self._forbidden.get(module) or self._names.why_not_import(module)

    def _bind_view(self, bound: str, view: View) -> None:
        if self._modules.get(bound) is not view:  # `import torch` beside `import torch.nn` binds the same thing again
            self.bind(bound)
        self._modules[bound] = view

    def _check_star(self, node: ast.ImportFrom, module: str, view: View | None) -> None:
        if view is None:
            self._report(node, self._why_not(module), IMPORT)
        elif module in ("torch", "numpy"):
            message = f'"from {module} import *" would hide built-in functions: use "import {module}".'
            self._report(node, message, IMPORT)

    def _check_path(self, node: ast.Attribute, path: tuple[str, ...]) -> None:
        """Report `torch.save` where it is written, if `torch` can only be what was imported under that name."""
        found: object = self._modules.get(path[0]) if self._bound[path[0]] == 1 else None
        for name in path[1:-1]:
            found = vars(found).get(name) if isinstance(found, View) else None
        # A name that the real module has not got either is a typo: Python says so when it runs.
        if isinstance(found, View) and path[-1] in found.closed_names:
            self._report(node, found.closed_names[path[-1]], NAME)

    def _held(self, node: Import, unavailable: list[tuple[ast.alias, str, str, bool]]) -> ast.stmt:
        if not unavailable:
            return node
        holder = at(ast.If(at(ast.Constant(value=True), node), [node], []), node)
        self._unavailable += [_Unavailable(holder, node, *entry) for entry in unavailable]
        return holder

    def _drop_or_report(self, found: _Unavailable) -> None:
        statement, alias = found.statement, found.alias
        if found.forbidden or (alias.asname or alias.name.partition(".")[0]) in self._loads:
            self._report(statement, found.message, found.code)
            return
        statement.names.remove(alias)
        if not statement.names:
            found.holder.body = [at(ast.Pass(), statement)]
        what = f"import {alias.name}"
        if isinstance(statement, ast.ImportFrom):
            what = f"from {statement.module} {what}"
        self.remarks.append((statement.lineno, f"{what} is not used and was left out."))
