"""Small questions and changes to syntax trees. Runs inside the jail."""

from __future__ import annotations

import ast
from typing import TypeVar

Import = ast.Import | ast.ImportFrom
_Node = TypeVar("_Node", bound=ast.AST)

_CATCHES_IMPORT_ERROR = frozenset(("ImportError", "ModuleNotFoundError", "Exception", "BaseException"))


def at(node: _Node, like: ast.AST) -> _Node:
    """The new node, at the place of another."""
    # Not RestrictedPython's copy_locations(): that walks the whole sub-tree for every attribute.
    return ast.copy_location(node, like)


def call(hook: str, value: ast.expr, name: str, like: ast.AST) -> ast.Call:
    """`hook(value, "name")`."""
    return at(ast.Call(at(ast.Name(hook, ast.Load()), like), [value, at(ast.Constant(name), like)], []), like)


def last_name(expression: ast.expr) -> str:
    """`ClassVar` for `typing.ClassVar[int]`, also in quotes."""
    match expression:
        case ast.Subscript(value=value):
            return last_name(value)
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
        case ast.Constant(value=str(text)):
            return text.partition("[")[0].rpartition(".")[2].strip()
    return ""


def dotted(node: ast.expr) -> tuple[str, ...]:
    """`("torch", "nn", "functional")` for `torch.nn.functional`; empty for what does not begin with a name."""
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    return (node.id, *reversed(names)) if isinstance(node, ast.Name) else ()


def is_main_test(test: ast.expr) -> bool:
    """`__name__ == "__main__"`, either way round."""
    if not (isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq)):
        return False
    sides = (test.left, test.comparators[0])
    return any(isinstance(side, ast.Name) and side.id == "__name__" for side in sides) and any(
        isinstance(side, ast.Constant) and side.value == "__main__" for side in sides
    )


def is_plain_slots(node: ast.Assign) -> bool:
    """`__slots__ = ("a", "b")`."""
    target, value = node.targets[0], node.value
    if not (isinstance(target, ast.Name) and target.id == "__slots__" and isinstance(value, ast.Tuple | ast.List)):
        return False
    return len(node.targets) == 1 and all(
        isinstance(slot, ast.Constant) and isinstance(slot.value, str) and not slot.value.startswith("__")
        for slot in value.elts
    )


def catches_import_error(handler: ast.ExceptHandler) -> bool:
    """Whether an import that fails ends in this handler."""
    if handler.type is None:
        return True
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(isinstance(kind, ast.Name) and kind.id in _CATCHES_IMPORT_ERROR for kind in kinds)


def erase_type_parameters(node: ast.FunctionDef | ast.ClassDef) -> None:
    """`def f[T: bound]` of Python 3.12: bounds are annotations."""
    if hasattr(node, "type_params"):
        node.type_params = []
