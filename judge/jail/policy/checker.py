"""Turns a submission's syntax tree into one that asks the guards, and lists what it refuses. Runs inside the jail.

Three hooks are put in, under names that are not identifiers: no source can write, import, capture or shadow them.

    a.b             ->  $getattr(a, "b")            save for a few names that no value keeps closed
    a.b = v         ->  $write(a, "b").b = v        also del, for, with, +=
    class A(B): ... ->  class A(B, metaclass=$metaclass): ...

Loops, subscripts, unpacking and calls stay Python's own: no mutable object shared with the judge can be reached.
"""

# ruff: noqa: N802, N815 - the visitor's methods are named after ast's classes

from __future__ import annotations

import ast
from collections.abc import Container, Mapping, Sequence
from typing import Any

from RestrictedPython.transformer import RestrictingNodeTransformer

from judge.jail.policy.bindings import Bindings
from judge.jail.policy.errors import CONSTRUCT, IMPORT, NAME, Refusal
from judge.jail.policy.names import Names
from judge.jail.policy.rules import is_special
from judge.jail.policy.trees import (
    at,
    call,
    catches_import_error,
    erase_type_parameters,
    is_main_test,
    is_plain_slots,
    last_name,
)
from judge.jail.policy.views import View

READ, WRITE, MAKE_CLASS = "$getattr", "$write", "$metaclass"

_UNSUPPORTED = {
    "AsyncFor": "async for is not supported here.",
    "AsyncFunctionDef": "async def is not supported here: write a plain def.",
    "AsyncWith": "async with is not supported here.",
    "Await": "await is not supported here.",
    "MatchClass": "class patterns are not supported here: use isinstance().",
    "TryStar": "except* is not supported here: use except.",
}
_EVALUATED_ANNOTATIONS = frozenset(("KW_ONLY", "InitVar"))
"""What dataclasses must see; all other annotations are erased."""


class Checker(RestrictingNodeTransformer):
    """One use per source: `check(tree)`, then `refusals` and `remarks`."""

    def __init__(
        self,
        names: Names,
        unguarded: Container[str],
        views: Mapping[str, View],
        forbidden: Mapping[str, str],
        lines: Sequence[str],
    ) -> None:
        super().__init__()
        self.refusals: list[Refusal] = []
        self.remarks: list[tuple[int, str]] = []
        self._names = names
        self._unguarded = unguarded
        self._lines = lines
        self._bindings = Bindings(names, views, forbidden, self.error)
        self._classes: list[str] = []
        self._scopes: list[type[ast.AST]] = []
        """Enclosing functions and classes."""
        self._forgiven = 0
        """How many enclosing `try` catch an ImportError."""

    def check(self, tree: ast.Module) -> ast.Module:
        """The changed tree; it is only good to compile when there are no refusals."""
        changed: ast.Module = self.visit(tree)
        self._bindings.finish()
        self.refusals = sorted(set(self.refusals), key=lambda refusal: (refusal.line, refusal.column))
        self.remarks = sorted(self.remarks + self._bindings.remarks)
        return changed

    # What to say

    def error(self, node: ast.AST, info: str, code: str = CONSTRUCT) -> None:
        line, offset = getattr(node, "lineno", 1), getattr(node, "col_offset", 0)
        before = self._lines[line - 1].encode()[:offset]  # ast counts bytes
        self.refusals.append(Refusal(line, len(before.decode(errors="replace")) + 1, code, with_full_stop(info)))

    def not_allowed(self, node: ast.AST) -> None:
        kind = type(node).__name__
        self.error(node, _UNSUPPORTED.get(kind, f"{kind} is not supported here."))

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """Refuse kinds of nodes that nobody has looked at, such as those of a newer Python."""
        self.not_allowed(node)
        return node

    # Names

    def check_name(self, node: ast.AST, name: str | None, allow_magic_methods: bool = False) -> None:  # noqa: FBT001, FBT002 - RestrictedPython's signature
        if name is None or not is_special(name):
            return
        if not allow_magic_methods:
            self.error(node, f"the special name {name} cannot be used here.", NAME)
        elif name not in self._names.special_methods:
            self.error(node, f"the special method {name} cannot be defined here.")

    def _bind(self, node: ast.AST, name: str | None) -> None:
        self.check_name(node, name)
        if name is not None:
            self._bindings.bind(name)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        loads = type(node.ctx) is ast.Load
        if loads:
            self._bindings.load(node)
        else:
            self._bindings.bind(node.id)
        known = node.id in self._names.special_assigned or (loads and node.id in self._names.special_variables)
        if not known:  # `__radd__ = __add__` in a class is as good as a def
            self.check_name(node, node.id, allow_magic_methods=self._in_class())
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        self._bind(node, node.arg)
        node.annotation = None
        return node

    def visit_Global(self, node: ast.Global | ast.Nonlocal) -> ast.AST:
        for name in node.names:
            self.check_name(node, name)
        return node

    visit_Nonlocal = visit_Global

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.AST:
        self._bind(node, node.name)
        return self._contents(node)

    # Attributes

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        loads = type(node.ctx) is ast.Load
        self._check_attribute_name(node, loads=loads)
        if loads:
            self._bindings.attribute(node)
        value = self.visit(node.value)
        if loads and node.attr not in self._unguarded:
            return call(READ, value, self._mangled(node.attr), node)
        node.value = value if loads else call(WRITE, value, self._mangled(node.attr), node)
        return node

    def _check_attribute_name(self, node: ast.Attribute, *, loads: bool) -> None:
        name = node.attr
        if name in self._names.inspection:
            self.error(node, f"the attribute {name} is not available here.", NAME)
        elif is_special(name):
            readable = name in self._names.special_attributes or name in self._names.special_readable
            if not (readable if loads else name in self._names.function_writable):
                self.error(node, f"the special attribute {name} is not available here.", NAME)

    def _mangled(self, name: str) -> str:
        """`self.__x` inside class A is `_A__x`: Python does this to names, not to the strings that the hooks get."""
        if name.startswith("__") and not name.endswith("__") and self._classes:
            owner = self._classes[-1].lstrip("_")
            return f"_{owner}{name}" if owner else name
        return name

    # Functions and classes

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.check_name(node, node.name, allow_magic_methods=self._in_class())
        self._bindings.bind(node.name)
        self._remark_missing_return(node)
        node.returns = None
        erase_type_parameters(node)
        node.decorator_list = self._visited(node.decorator_list)
        node.args = self.visit(node.args)
        node.body = self._body(node)
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        self._bind(node, node.name)
        for keyword in node.keywords:
            harmless = keyword.arg == "total" or (keyword.arg == "metaclass" and last_name(keyword.value) == "ABCMeta")
            if not harmless:
                self.error(node, f"the class keyword {keyword.arg}= is not supported here.")
        erase_type_parameters(node)
        node.decorator_list = self._visited(node.decorator_list)
        node.bases = self._visited(node.bases)
        self._classes.append(node.name)
        node.body = self._body(node)
        self._classes.pop()
        node.keywords = [at(ast.keyword("metaclass", at(ast.Name(MAKE_CLASS, ast.Load()), node)), node)]
        return node

    def _in_class(self) -> bool:
        return bool(self._scopes) and self._scopes[-1] is ast.ClassDef

    def _body(self, owner: ast.FunctionDef | ast.ClassDef) -> list[ast.stmt]:
        self._scopes.append(type(owner))
        body = self._visited(owner.body)
        self._scopes.pop()
        return body

    def _visited(self, nodes: Sequence[ast.AST]) -> list[Any]:
        """What takes the place of these nodes. A refused node leaves nothing, `if __name__` may leave several."""
        visited: list[Any] = []
        for node in nodes:
            result = self.visit(node)
            if isinstance(result, list):
                visited += result
            elif result is not None:
                visited.append(result)
        return visited

    def _remark_missing_return(self, node: ast.FunctionDef) -> None:
        """A function that ends in `w @ V` and returns nothing: the commonest slip of all."""
        last = node.body[-1]
        if isinstance(last, ast.Expr) and isinstance(last.value, ast.BinOp | ast.Name | ast.Subscript | ast.Compare):
            message = f"the value of the last line of {node.name} is not used: is a return missing?"
            self.remarks.append((last.lineno, message))

    # Statements that change on the way

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        """Annotations are never evaluated. Dataclasses need the field's name, so a class body keeps that."""
        if self._in_class() and isinstance(node.target, ast.Name) and last_name(node.annotation) != "ClassVar":
            if last_name(node.annotation) in _EVALUATED_ANNOTATIONS:
                node.annotation = self.visit(node.annotation)
            else:
                node.annotation = at(ast.Constant(value=None), node.annotation)
            node.target = self.visit(node.target)
            node.value = self.visit(node.value) if node.value else None
            return node
        if node.value is None:
            return at(ast.Pass(), node)
        return self._contents(at(ast.Assign([node.target], node.value), node))

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        if self._in_class() and is_plain_slots(node):  # saves memory and changes nothing else
            return at(ast.Pass(), node)
        return self._contents(node)

    def visit_If(self, node: ast.If) -> ast.AST | list[ast.stmt]:
        if not self._scopes and is_main_test(node.test):
            return self._visited(node.orelse) or at(ast.Pass(), node)
        return self._contents(node)

    def visit_Try(self, node: ast.Try) -> ast.AST:
        forgives = any(catches_import_error(handler) for handler in node.handlers)
        self._forgiven += forgives
        node.body = self._visited(node.body)
        self._forgiven -= forgives
        node.handlers, node.orelse = self._visited(node.handlers), self._visited(node.orelse)
        node.finalbody = self._visited(node.finalbody)
        return node

    def visit_Import(self, node: ast.Import) -> ast.AST:
        for alias in node.names:
            for name in (*alias.name.split("."), alias.asname):
                self.check_name(node, name)
        return self._bindings.import_module(node, may_fail=self._forgiven > 0)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST:
        if node.level:
            self.error(node, "relative imports are not supported here.", IMPORT)
            return node
        if node.module == "__future__":
            # Annotations are gone already; the flag would only turn what is left of them into strings.
            node.names = [alias for alias in node.names if alias.name != "annotations"]
            return node if node.names else at(ast.Pass(), node)
        for alias in node.names:
            self.check_name(node, alias.asname or alias.name)
        return self._bindings.import_names(node, may_fail=self._forgiven > 0)

    # Python's own: no guards on iteration, items, calls or unpacking

    def _contents(self, node: ast.AST) -> ast.AST:
        visited: ast.AST = self.node_contents_visit(node)
        return visited

    visit_Call = visit_Lambda = visit_Subscript = visit_AugAssign = visit_For = visit_With = visit_NamedExpr = _contents
    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = visit_Module = _contents
    visit_Match = visit_match_case = visit_MatchSequence = visit_MatchSingleton = visit_MatchOr = _contents

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        if node.is_async:
            self.error(node.target, "async comprehensions are not supported here.")
        return self._contents(node)

    # match: captures are plain strings in the tree and need a check of their own

    def visit_MatchValue(self, node: ast.MatchValue) -> ast.AST:
        return self._pattern_values(node, [node.value])

    def visit_MatchMapping(self, node: ast.MatchMapping) -> ast.AST:
        self._bind(node, node.rest)
        return self._pattern_values(node, node.keys)

    def _pattern_values(self, node: ast.pattern, values: list[ast.expr]) -> ast.AST:
        if any(isinstance(part, ast.Attribute) for value in values for part in ast.walk(value)):
            self.error(node, "dotted names in case patterns are not supported here: use if and elif.")
            return node
        return self._contents(node)

    def visit_MatchStar(self, node: ast.MatchStar | ast.MatchAs) -> ast.AST:
        self._bind(node, node.name)
        return self._contents(node)

    visit_MatchAs = visit_MatchStar


def with_full_stop(text: str) -> str:
    """The sentence, with a full stop if it has none."""
    text = text.strip()
    return text if text.endswith((".", "?", "!")) else f"{text}."
