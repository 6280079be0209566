"""From bytes to a syntax tree that is safe to walk and to compile. Runs inside the jail: parsing is the child's risk.

The limits keep a source of 64 KiB from costing more than about a second: 1 KB of nested `finally`, for one, would take
the compiler 5 s and 1.5 GB, because it copies the block once for every way out.
"""

from __future__ import annotations

import ast

from judge.jail.policy.errors import FILENAME, SYNTAX, TOO_LARGE, Refusal, Refused
from judge.jail.policy.hints import syntax_refusal

MAX_BYTES = 64 * 1024
MAX_LINES = 2000
MAX_NODES = 20_000
MAX_DEPTH = 200
"""Levels of the tree. Walking it takes about four Python frames a level."""
MAX_EXPANDED = 60_000
"""Nodes after the compiler has copied `finally` blocks."""
RECURSION = 3000
"""Frames that parsing and walking may take: enough for MAX_DEPTH."""


def decode(source: bytes) -> str:
    """The text, with a plain line feed for every line end. Raises Refused for what is too long or not UTF-8."""
    if len(source) > MAX_BYTES:
        raise _refused(1, TOO_LARGE, f"the submission is longer than {MAX_BYTES // 1024} KiB.")
    try:
        text = source.decode("utf-8").removeprefix("\ufeff")  # not utf-8-sig: a codec to import on first use
    except UnicodeDecodeError as error:
        raise _refused(source.count(b"\n", 0, error.start) + 1, SYNTAX, "the file is not valid UTF-8.") from None
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise _refused(line, SYNTAX, "the file contains a null character.")
    if text.count("\n") > MAX_LINES:
        raise _refused(MAX_LINES, TOO_LARGE, f"the submission has more than {MAX_LINES} lines.")
    return text


def parse(text: str) -> ast.Module:
    """The tree of a text. Raises Refused for a syntax error and for what is too large or too deep."""
    try:
        tree = ast.parse(text, FILENAME)
    except SyntaxError as error:
        raise Refused((syntax_refusal(error, text),)) from None
    except (RecursionError, MemoryError):
        raise _refused(1, TOO_LARGE, "the code is nested too deeply.") from None
    except ValueError as error:
        raise _refused(1, SYNTAX, f"the code could not be read: {error}.") from None
    if _measure(tree):
        _check_expansion(tree)
    return tree


def _measure(tree: ast.Module) -> bool:
    """Check size and depth, level by level. Whether there is a `finally`."""
    level: list[ast.AST] = [tree]
    count, depth, has_finally = 0, 0, False
    while level:
        count += len(level)
        line = getattr(level[0], "lineno", 1)
        if depth > MAX_DEPTH:
            raise _refused(line, TOO_LARGE, "the code is nested too deeply.")
        if count > MAX_NODES:
            raise _refused(line, TOO_LARGE, "the code is too large: use loops and data instead of repetition.")
        below: list[ast.AST] = []
        for node in level:
            for value in vars(node).values():
                if type(value) is list:
                    below += [child for child in value if isinstance(child, ast.AST)]
                elif isinstance(value, ast.AST) and value._fields:
                    below.append(value)
            if isinstance(node, ast.Try | ast.TryStar) and node.finalbody:
                has_finally = True
        level, depth = below, depth + 1
    return has_finally


def _check_expansion(tree: ast.Module) -> None:
    """Estimate what the compiler makes of nested `finally`.

    It writes one copy for the normal end, one for an exception, and one for each return, break and continue inside;
    what leaves a copy leaves through the blocks around it in turn.
    """
    order: list[ast.AST] = [tree]
    for node in order:
        order.extend(ast.iter_child_nodes(node))
    size: dict[ast.AST, int] = {}
    exits: dict[ast.AST, int] = {}
    for node in reversed(order):
        children = list(ast.iter_child_nodes(node))
        exits[node] = isinstance(node, ast.Return | ast.Break | ast.Continue) + sum(exits[child] for child in children)
        size[node] = 1 + sum(size[child] for child in children)
        if isinstance(node, ast.Try | ast.TryStar) and node.finalbody:
            in_final = sum(exits[child] for child in node.finalbody)
            more_copies = 1 + exits[node] - in_final
            size[node] += more_copies * sum(size[child] for child in node.finalbody)
            exits[node] += more_copies * in_final
        if size[node] > MAX_EXPANDED:
            line = getattr(node, "lineno", 1)
            raise _refused(line, TOO_LARGE, "the nested finally blocks are too large.")


def _refused(line: int, code: str, message: str) -> Refused:
    return Refused((Refusal(line, 1, code, message),))
