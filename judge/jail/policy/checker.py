"""Turns a submission's syntax tree into one that asks the guards, and lists what it refuses. Runs inside the jail.

Three hooks are put in, under names that are not identifiers, so that no source can write, import, capture or shadow them:

    a.b             ->  $getattr(a, "b")
    a.b = v         ->  $write(a, "b").b = v        also del, for, with, +=
    class A(B): ... ->  class A(B, metaclass=$metaclass): ...

Loops, subscripts, unpacking and calls stay Python's own: no mutable object that is shared with the judge can be reached.
Names are judged after the whole tree was seen, because only then is it known what the source itself defines.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from RestrictedPython import RestrictingNodeTransformer

from judge.jail.policy.errors import CONSTRUCT, IMPORT, NAME, Refusal
from judge.jail.policy.names import Names
from judge.jail.policy.views import View

_Import = ast.Import | ast.ImportFrom
_Node = TypeVar("_Node", bound=ast.AST)

READ, WRITE, MAKE_CLASS = "$getattr", "$write", "$metaclass"

_UNSUPPORTED = {
    "AsyncFor": "async for is not supported here",
    "AsyncFunctionDef": "async def is not supported here: write a plain def",
    "AsyncWith": "async with is not supported here",
    "Await": "await is not supported here",
    "MatchClass": "class patterns are not supported here: use isinstance()",
    "TryStar": "except* is not supported here: use except",
}
_CATCHES_IMPORT_ERROR = frozenset(("ImportError", "ModuleNotFoundError", "Exception", "BaseException"))
_KEPT_ANNOTATIONS = frozenset(("KW_ONLY", "InitVar"))


class Checker(RestrictingNodeTransformer):
    """One use per source: `visit(tree)`, then `finish()`."""

    def __init__(
        self, names: Names, views: Mapping[str, View], forbidden: Container[str], lines: Sequence[str]
    ) -> None:
        super().__init__()
        self.refusals: list[Refusal] = []
        self.remarks: list[tuple[int, str]] = []
        self._names = names
        self._views = views
        self._forbidden = forbidden
        self._lines = lines
        self._loads: dict[str, list[ast.Name]] = {}
        self._bindings: Counter[str] = Counter()
        self._modules: dict[str, View] = {}
        """Name to the view that an import binds it to."""
        self._paths: list[tuple[ast.Attribute, str, tuple[str, ...]]] = []
        """Attribute chains that begin with a name: `torch.nn.x` as (node, "torch", ("nn", "x"))."""
        self._unavailable: list[_Unavailable] = []
        self._classes: list[str] = []
        self._scopes: list[type[ast.AST]] = []
        self._forgiven = 0
        """How many enclosing `try` catch an ImportError."""

    # What to say

    def error(self, node: ast.AST, info: str, code: str = CONSTRUCT) -> None:
        self.refusals.append(self._refusal(node, info, code))

    def _refusal(self, node: ast.AST, info: str, code: str) -> Refusal:
        line, offset = getattr(node, "lineno", 1), getattr(node, "col_offset", 0)
        before = self._lines[line - 1].encode()[:offset]  # ast counts bytes
        return Refusal(line, len(before.decode(errors="replace")) + 1, code, info)

    def not_allowed(self, node: ast.AST) -> None:
        kind = type(node).__name__
        self.error(node, _UNSUPPORTED.get(kind, f"{kind} is not supported here") + ".")

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """Refuse kinds of nodes that nobody has looked at, such as those of a newer Python."""
        self.not_allowed(node)
        return node

    def finish(self) -> None:
        """Judge the names, now that all bindings are known; leave out unused imports; sort what was found."""
        for name, sentence in self._names.refused_builtins.items():
            if name in self._loads and name not in self._bindings:
                for node in self._loads[name]:
                    self.error(node, sentence, NAME)
        for node, first, rest in self._paths:
            self._check_path(node, first, rest)
        for found in self._unavailable:
            self._drop_or_refuse(found)
        self.refusals = sorted(set(self.refusals), key=lambda refusal: (refusal.line, refusal.column))
        self.remarks.sort()

    # Names

    def check_name(self, node: ast.AST, name: str | None, allow_magic_methods: bool = False) -> None:  # noqa: FBT001, FBT002 - RestrictedPython's signature
        if name is None or not _is_special(name):
            return
        if allow_magic_methods and name in self._names.special_methods:
            return
        if isinstance(node, ast.Name):
            known = self._names.special_variables if isinstance(node.ctx, ast.Load) else self._names.special_assigned
            if name in known:
                return
        if allow_magic_methods:
            self.error(node, f"the special method {name} cannot be defined here.")
        else:
            self.error(node, f"the special name {name} cannot be used here.", NAME)

    def _bind(self, node: ast.AST, name: str | None) -> None:
        self.check_name(node, name)
        if name is not None:
            self._bindings[name] += 1

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if type(node.ctx) is ast.Load:
            self._loads.setdefault(node.id, []).append(node)
        else:
            self._bindings[node.id] += 1
        if node.id[:2] == "__":
            self.check_name(node, node.id)
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        self._bind(node, node.arg)
        node.annotation = None
        return node

    def visit_Global(self, node: ast.Global | ast.Nonlocal) -> ast.AST:
        for name in node.names:
            self.check_name(node, name)
        return node

    visit_Nonlocal = visit_Global  # noqa: N815 - ast's naming

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.AST:
        self._bind(node, node.name)
        return self.node_contents_visit(node)

    # Attributes

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        loads = type(node.ctx) is ast.Load
        self._check_attribute_name(node, loads=loads)
        if loads:
            self._note_path(node)
        value = self.visit(node.value)
        hook = _call(READ if loads else WRITE, value, self._mangled(node.attr), node)
        if loads:
            return hook
        node.value = hook
        return node

    def _check_attribute_name(self, node: ast.Attribute, *, loads: bool) -> None:
        name = node.attr
        if name in self._names.inspection:
            self.error(node, f"the attribute {name} is not available here.", NAME)
        elif _is_special(name):
            readable = name in self._names.special_attributes or name in self._names.special_readable
            if not (loads and readable):
                self.error(node, f"the special attribute {name} is not available here.", NAME)

    def _mangled(self, name: str) -> str:
        """`self.__x` inside class A is `_A__x`: Python does this to names, not to the strings that the hooks get."""
        if name.startswith("__") and not name.endswith("__") and self._classes:
            owner = self._classes[-1].lstrip("_")
            return f"_{owner}{name}" if owner else name
        return name

    def _note_path(self, node: ast.Attribute) -> None:
        rest = [node.attr]
        value = node.value
        while isinstance(value, ast.Attribute):
            rest.append(value.attr)
            value = value.value
        if isinstance(value, ast.Name):
            self._paths.append((node, value.id, tuple(reversed(rest))))

    def _check_path(self, node: ast.Attribute, first: str, rest: tuple[str, ...]) -> None:
        """Refuse `torch.save` where it is written, if `torch` can only be the import of that name."""
        view: Any = self._modules.get(first) if self._bindings[first] == 1 else None
        for name in rest[:-1]:
            view = view._table.get(name) if type(view) is View else None
        # A name that the real module has not got either is a typo: Python says so when it runs.
        if type(view) is View and rest[-1] in view._closed:
            self.error(node, sentence(view._closed[rest[-1]]), NAME)

    # Functions and classes

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        in_class = bool(self._scopes) and self._scopes[-1] is ast.ClassDef
        self.check_name(node, node.name, allow_magic_methods=in_class)
        self._bindings[node.name] += 1
        node.returns = None
        self._remark_missing_return(node)
        node.decorator_list = self._visited(node.decorator_list)
        node.args = self.visit(node.args)
        _erase_type_parameters(node)
        node.body = self._body(node, node.body)
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        self._bind(node, node.name)
        for keyword in node.keywords:
            if not _is_abc_meta(keyword):
                self.error(node, f"the class keyword {keyword.arg}= is not supported here.")
        node.bases, node.decorator_list = self._visited(node.bases), self._visited(node.decorator_list)
        _erase_type_parameters(node)
        self._classes.append(node.name)
        node.body = self._body(node, node.body)
        self._classes.pop()
        node.keywords = [_at(ast.keyword("metaclass", _at(ast.Name(MAKE_CLASS, ast.Load()), node)), node)]
        return node

    def _body(self, owner: ast.AST, statements: list[ast.stmt]) -> list[ast.stmt]:
        self._scopes.append(type(owner))
        body = self._visited(statements)
        self._scopes.pop()
        return body

    def _visited(self, nodes: Sequence[ast.AST]) -> list[Any]:
        """The nodes that take the place of these. A refused node leaves nothing; `if __name__` may leave several."""
        visited: list[Any] = []
        for node in nodes:
            result = self.visit(node)
            visited += result if isinstance(result, list) else [] if result is None else [result]
        return visited

    def _remark_missing_return(self, node: ast.FunctionDef) -> None:
        """A function that ends in `w @ V` and returns nothing: the commonest slip of all."""
        last = node.body[-1]
        if isinstance(last, ast.Expr) and isinstance(last.value, ast.BinOp | ast.Name | ast.Subscript | ast.Compare):
            self.remarks.append(
                (last.lineno, f"the value of the last line of {node.name} is not used: is a return missing?")
            )

    # Statements that change on the way

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        """Annotations are never evaluated. Dataclasses need the field's name, so a class body keeps that."""
        if self._scopes and self._scopes[-1] is ast.ClassDef and isinstance(node.target, ast.Name):
            kept = _last_name(node.annotation)
            if kept != "ClassVar":
                annotation = _at(ast.Constant(None), node.annotation)
                node.annotation = self.visit(node.annotation) if kept in _KEPT_ANNOTATIONS else annotation
                node.target = self.visit(node.target)
                node.value = self.visit(node.value) if node.value else None
                return node
        if node.value is None:
            return _at(ast.Pass(), node)
        return self.visit(_at(ast.Assign([node.target], node.value), node))

    def visit_Assign(self, node: ast.Assign) -> ast.AST | list[ast.stmt]:
        if self._is_plain_slots(node):
            return _at(ast.Pass(), node)
        return self.node_contents_visit(node)

    def _is_plain_slots(self, node: ast.Assign) -> bool:
        """`__slots__ = ("a", "b")` is left out: it saves memory and changes nothing else."""
        if not (self._scopes and self._scopes[-1] is ast.ClassDef and len(node.targets) == 1):
            return False
        target, value = node.targets[0], node.value
        if not (isinstance(target, ast.Name) and target.id == "__slots__" and isinstance(value, ast.Tuple | ast.List)):
            return False
        return all(
            isinstance(element, ast.Constant) and isinstance(element.value, str) and not element.value.startswith("__")
            for element in value.elts
        )

    def visit_If(self, node: ast.If) -> ast.AST | list[ast.stmt]:
        if not self._scopes and _is_main_test(node.test):
            return self._visited(node.orelse) or _at(ast.Pass(), node)
        return self.node_contents_visit(node)

    def visit_Try(self, node: ast.Try) -> ast.AST:
        forgives = any(_catches_import_error(handler) for handler in node.handlers)
        self._forgiven += forgives
        node.body = self._visited(node.body)
        self._forgiven -= forgives
        node.handlers, node.orelse = self._visited(node.handlers), self._visited(node.orelse)
        node.finalbody = self._visited(node.finalbody)
        return node

    # Imports

    def visit_Import(self, node: ast.Import) -> ast.AST:
        unavailable = []
        for alias in node.names:
            bound = alias.asname or alias.name.partition(".")[0]
            for part in alias.name.split("."):
                self.check_name(node, part)
            if alias.name in self._views:
                self._bind_module(node, bound, self._views[alias.name if alias.asname else bound])
                continue
            self._bind(node, bound)
            unavailable.append((alias, self._refusal(node, self._names.why_not_import(alias.name), IMPORT), False))
        return self._held(node, unavailable)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST:
        module = node.module or ""
        if node.level:
            self.error(node, "relative imports are not supported here.", IMPORT)
            return node
        if module == "__future__":
            # Annotations are gone already; the flag would only turn what is left of them into strings.
            node.names = [alias for alias in node.names if alias.name != "annotations"]
            return node if node.names else _at(ast.Pass(), node)
        view = self._views.get(module)
        unavailable = []
        for alias in node.names:
            bound = alias.asname or alias.name
            if alias.name == "*":
                self._check_star(node, module, view)
                continue
            self.check_name(node, alias.name)
            found = view._table.get(alias.name) if view else None
            if type(found) is View:
                self._bind_module(node, bound, found)
                continue
            self._bind(node, bound)
            if view is None:
                unavailable.append((alias, self._refusal(node, self._names.why_not_import(module), IMPORT), False))
            elif alias.name not in view._table:
                refusal = self._refusal(node, sentence(str(view._missing(alias.name))), NAME)
                unavailable.append((alias, refusal, f"{module}.{alias.name}" in self._forbidden))
        return self._held(node, unavailable)

    def _bind_module(self, node: ast.AST, bound: str, view: View) -> None:
        if self._modules.get(bound) is not view:  # `import torch` beside `import torch.nn` binds the same thing again
            self._bind(node, bound)
        self._modules[bound] = view

    def _check_star(self, node: ast.ImportFrom, module: str, view: View | None) -> None:
        if view is None:
            self.error(node, self._names.why_not_import(module), IMPORT)
        elif module in ("torch", "numpy"):
            message = f'"from {module} import *" would hide built-in functions: use "import {module}".'
            self.error(node, message, IMPORT)

    def _held(self, node: _Import, unavailable: list[tuple[ast.alias, Refusal, bool]]) -> ast.AST:
        """Keep an import of what is not available until it is known whether the source uses it."""
        if not unavailable or self._forgiven:  # inside `try: ... except ImportError:` it fails as in Python
            return node
        holder = _at(ast.If(_at(ast.Constant(True), node), [node], []), node)
        self._unavailable += [_Unavailable(holder, node, *entry) for entry in unavailable]
        return holder

    def _drop_or_refuse(self, found: _Unavailable) -> None:
        statement, alias = found.statement, found.alias
        if found.forbidden or (alias.asname or alias.name.partition(".")[0]) in self._loads:
            self.refusals.append(found.refusal)
            return
        statement.names.remove(alias)
        if not statement.names:
            found.holder.body = [_at(ast.Pass(), statement)]
        whole = f"import {alias.name}"
        what = whole if isinstance(statement, ast.Import) else f"from {statement.module} {whole}"
        self.remarks.append((statement.lineno, f"{what} is not used and was left out."))

    # Python's own: no guards on iteration, items, calls or unpacking

    def _contents(self, node: ast.AST) -> ast.AST:
        return self.node_contents_visit(node)

    visit_Call = visit_Lambda = visit_Subscript = visit_AugAssign = visit_For = visit_With = visit_NamedExpr = _contents  # noqa: N815
    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = visit_Module = _contents  # noqa: N815
    visit_Match = visit_match_case = visit_MatchSequence = visit_MatchSingleton = visit_MatchOr = _contents  # noqa: N815

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        if node.is_async:
            self.error(node.target, "async comprehensions are not supported here.")
        return self.node_contents_visit(node)

    # match: captures are plain strings in the tree and need a check of their own

    def visit_MatchValue(self, node: ast.MatchValue) -> ast.AST:
        return self._pattern_value(node, [node.value])

    def visit_MatchMapping(self, node: ast.MatchMapping) -> ast.AST:
        self._bind(node, node.rest)
        return self._pattern_value(node, node.keys)

    def _pattern_value(self, node: ast.AST, values: list[ast.expr]) -> ast.AST:
        if any(isinstance(part, ast.Attribute) for value in values for part in ast.walk(value)):
            self.error(node, "dotted names in case patterns are not supported here: use if and elif.")
            return node
        return self.node_contents_visit(node)

    def visit_MatchStar(self, node: ast.MatchStar | ast.MatchAs) -> ast.AST:
        self._bind(node, node.name)
        return self.node_contents_visit(node)

    visit_MatchAs = visit_MatchStar  # noqa: N815


@dataclass(frozen=True, slots=True)
class _Unavailable:
    """An import of something that a submission does not get: refused if the source uses it, else left out."""

    holder: ast.If
    statement: _Import
    alias: ast.alias
    refusal: Refusal
    forbidden: bool
    """The problem forbids it by name: refused in any case."""


def sentence(text: str) -> str:
    """With a full stop."""
    text = text.strip()
    return text if text.endswith((".", "?", "!")) else f"{text}."


def _at(node: _Node, like: ast.AST) -> _Node:
    # Not RestrictedPython's copy_locations(): that walks the whole sub-tree for every attribute.
    return ast.copy_location(node, like)


def _call(hook: str, value: ast.expr, name: str, like: ast.AST) -> ast.Call:
    return _at(ast.Call(_at(ast.Name(hook, ast.Load()), like), [value, _at(ast.Constant(name), like)], []), like)


def _is_special(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


def _erase_type_parameters(node: ast.FunctionDef | ast.ClassDef) -> None:
    """`def f[T: bound]` of Python 3.12: bounds are annotations."""
    if hasattr(node, "type_params"):
        node.type_params = []


def _is_abc_meta(keyword: ast.keyword) -> bool:
    """`metaclass=ABCMeta` is harmless: it is dropped like the annotations."""
    return keyword.arg == "metaclass" and _last_name(keyword.value) == "ABCMeta"


def _last_name(annotation: ast.expr) -> str:
    """`ClassVar` for `typing.ClassVar[int]`, also in quotes."""
    match annotation:
        case ast.Subscript(value=value):
            return _last_name(value)
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
        case ast.Constant(value=str(text)):
            return text.partition("[")[0].rpartition(".")[2].strip()
    return ""


def _is_main_test(test: ast.expr) -> bool:
    """`__name__ == "__main__"`, either way round."""
    if not (isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq)):
        return False
    sides = (test.left, test.comparators[0])
    return any(isinstance(side, ast.Name) and side.id == "__name__" for side in sides) and any(
        isinstance(side, ast.Constant) and side.value == "__main__" for side in sides
    )


def _catches_import_error(handler: ast.ExceptHandler) -> bool:
    if handler.type is None:
        return True
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(isinstance(kind, ast.Name) and kind.id in _CATCHES_IMPORT_ERROR for kind in kinds)
