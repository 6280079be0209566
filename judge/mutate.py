"""Small changes to a program, each of which a good set of cases should notice. Trusted side; executes nothing.

Operators, axes, constants, dropped terms, swapped arguments: what a hand slips on. Changes are made in the syntax tree,
one at a time, inside functions only: signatures, annotations, imports and texts stay.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

_OPERATORS: dict[type[ast.operator], tuple[type[ast.operator], ...]] = {
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Div, ast.Add),
    ast.Div: (ast.Mult, ast.FloorDiv),
    ast.FloorDiv: (ast.Div,),
    ast.Pow: (ast.Mult,),
    ast.MatMult: (),
}
_COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
_NAMES = {
    "max": "min",
    "amax": "amin",
    "maximum": "minimum",
    "sum": "mean",
    "exp": "expm1",
    "softmax": "log_softmax",
    "log_softmax": "softmax",
    "zeros": "ones",
    "new_zeros": "new_ones",
    "sqrt": "square",
    "rsqrt": "sqrt",
    "cat": "stack",
    "stack": "cat",
}
_COMMUTES = (ast.Add, ast.Mult)


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change to one program."""

    program: str
    line: int
    before: str
    """The changed expression or statement, as it was."""
    after: str
    source: bytes


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a node hangs in the tree."""

    node: ast.AST
    put: Callable[[ast.AST], None]


def mutants_of(program: str, source: bytes) -> Iterator[Mutant]:
    """Every change of a program, each once, in the order of the text. The source must parse."""
    tree = ast.parse(source)
    seen = {ast.unparse(tree)}
    names = _parameters(tree)
    for place in list(_places(tree)):
        before = ast.unparse(place.node)
        for changed in _changes(place.node, names):
            place.put(changed)
            text = ast.unparse(ast.fix_missing_locations(tree))
            place.put(place.node)
            if text in seen:
                continue
            seen.add(text)
            line = getattr(place.node, "lineno", 0)
            yield Mutant(program, line, before, ast.unparse(changed), text.encode())


def _parameters(tree: ast.Module) -> list[list[str]]:
    """Names of arguments, function by function: those that a hand could mix up."""
    return [
        [argument.arg for argument in node.args.args if argument.arg != "self"]
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
    ]


def _places(tree: ast.Module) -> Iterator[_Place]:
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            for index, statement in enumerate(function.body):
                yield from _below(statement, _setter(function.body, index))


def _below(node: ast.AST, put: Callable[[ast.AST], None]) -> Iterator[_Place]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return  # met by itself
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return  # a docstring
    yield _Place(node, put)
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns"):
            continue
        if isinstance(value, ast.AST):
            yield from _below(value, _attribute_setter(node, name))
        elif isinstance(value, list):
            for index, each in enumerate(value):
                if isinstance(each, ast.AST):
                    yield from _below(each, _setter(value, index))


def _setter(items: list[Any], index: int) -> Callable[[ast.AST], None]:
    return lambda node: items.__setitem__(index, node)


def _attribute_setter(parent: ast.AST, name: str) -> Callable[[ast.AST], None]:
    return lambda node: setattr(parent, name, node)


def _changes(node: ast.AST, parameters: Sequence[Sequence[str]]) -> Iterator[ast.AST]:
    """What a node may become."""
    match node:
        case ast.BinOp():
            yield from _operations(node)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            yield operand
            yield from _axes(operand)
        case ast.Constant(value=value):
            yield from map(ast.Constant, _numbers(value))
        case ast.Compare(left=left, ops=[op], comparators=comparators):
            yield from (ast.Compare(left, [other()], comparators) for other in _COMPARISONS.get(type(op), ()))
        case ast.Call():
            yield from _calls(node)
        case ast.stmt():
            yield from _statements(node)
        case ast.Attribute() | ast.Name():
            yield from _other_names(node, parameters)


def _axes(operand: ast.expr) -> Iterator[ast.AST]:
    """Other axes than -1, -2 or -3."""
    axes = (1, 2, 3)
    if isinstance(operand, ast.Constant) and operand.value in axes:
        yield from (ast.UnaryOp(ast.USub(), ast.Constant(other)) for other in axes if other != operand.value)
        yield ast.Constant(0)


def _statements(node: ast.stmt) -> Iterator[ast.AST]:
    match node:
        case ast.AugAssign(target=target, op=op, value=value):
            yield from (ast.AugAssign(target, other(), value) for other in _OPERATORS.get(type(op), ()))
            yield ast.Pass()
        case ast.Expr(value=ast.Call()):
            yield ast.Pass()


def _other_names(node: ast.Attribute | ast.Name, parameters: Sequence[Sequence[str]]) -> Iterator[ast.AST]:
    match node:
        case ast.Attribute(value=value, attr="mT" | "T"):
            yield value
        case ast.Attribute(value=value, attr=name) if name in _NAMES:
            yield ast.Attribute(value, _NAMES[name], ast.Load())
        case ast.Name(id=name, ctx=ast.Load()):
            for own in parameters:
                if name in own:
                    yield from (ast.Name(other, ast.Load()) for other in own if other != name)


def _operations(node: ast.BinOp) -> Iterator[ast.AST]:
    yield from (ast.BinOp(node.left, other(), node.right) for other in _OPERATORS.get(type(node.op), ()))
    yield node.left
    yield node.right
    if not isinstance(node.op, _COMMUTES):
        yield ast.BinOp(node.right, node.op, node.left)


def _numbers(value: object) -> Iterator[float | bool]:
    match value:
        case bool():
            yield not value
        case int():
            yield value + 1
            if value > 0:
                yield value - 1
                yield -value
        case float():
            yield value * 2
            yield value / 2
            yield -value


def _calls(node: ast.Call) -> Iterator[ast.AST]:
    """Arguments swapped, keywords left out, and the call left out."""
    if len(node.args) > 1 and not any(isinstance(each, ast.Starred) for each in node.args[:2]):
        yield ast.Call(node.func, [node.args[1], node.args[0], *node.args[2:]], node.keywords)
    for index in range(len(node.keywords)):
        yield ast.Call(node.func, node.args, node.keywords[:index] + node.keywords[index + 1 :])
    if len(node.args) > 1:
        yield ast.Call(node.func, node.args[:-1], node.keywords)
    if isinstance(node.func, ast.Attribute) and not _is_module(node.func.value):
        yield node.func.value
    elif node.args and not isinstance(node.args[0], ast.Starred):
        yield node.args[0]


def _is_module(node: ast.AST) -> bool:
    """Whether a call on it is a function of a module: torch.exp(x), F.softmax(x), torch.nn.functional.softmax(x)."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name) and node.id in ("torch", "math", "F", "nn", "functional", "np")
