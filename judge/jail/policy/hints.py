"""What to say beyond Python's own words. Runs inside the jail."""

from __future__ import annotations

import difflib
import functools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from types import FrameType

import torch

from judge.jail.policy.errors import SYNTAX, Refusal
from judge.jail.policy.names import read_table
from judge.jail.policy.views import View


@dataclass(frozen=True, slots=True)
class _Hints:
    """names/hints.toml as values."""

    by_text: tuple[tuple[str, re.Pattern[str], str], ...]
    """Exception type, pattern, sentence."""
    imports: dict[str, str]
    names: dict[str, str]
    tensor: dict[str, str]


@functools.cache
def read_hints() -> _Hints:
    """Read the hints. The zygote does it once: a child has no files."""
    table = read_table("hints")
    by_text = tuple((entry["type"], re.compile(entry["matches"]), entry["say"]) for entry in table["hints"])
    return _Hints(by_text, table["imports"], table["names"], table["tensor"])


@dataclass(frozen=True, slots=True)
class Failure:
    """What the hints look at."""

    error: BaseException
    type_name: str
    words: str
    frame: FrameType | None
    """The submission's innermost frame."""
    line: int
    lines: Sequence[str]


def hint_for(failure: Failure) -> str:
    """One sentence or none."""
    if failure.type_name == "RuntimeError" and _transposed_batch(failure):
        return ".T reverses all dimensions of a batch: use .mT or .transpose(-2, -1)."
    for type_name, pattern, sentence in read_hints().by_text:
        if type_name == failure.type_name and pattern.search(failure.words):
            return sentence
    if failure.type_name == "NameError":
        return _name_hint(failure)
    if failure.type_name == "AttributeError":
        return _attribute_hint(failure)
    return ""


def closest(name: str, candidates: Iterable[str]) -> str | None:
    """The candidate that was probably meant."""
    if len(name) > 100:  # noqa: PLR2004 - longer than any name; the comparison is quadratic
        return None
    near = difflib.get_close_matches(name, [word for word in candidates if not word.startswith("$")], 1, 0.7)
    return near[0] if near else None


def _name_hint(failure: Failure) -> str:
    name = getattr(failure.error, "name", None)
    if type(name) is not str:
        return ""
    hints = read_hints()
    if name in hints.imports:
        return f"{hints.imports[name]} is missing."
    if name in hints.names:
        return hints.names[name]
    if name in vars(torch) and callable(vars(torch)[name]):
        return f"Did you mean torch.{name}?"
    if failure.frame is None:
        return ""
    scopes = (failure.frame.f_locals, failure.frame.f_globals, failure.frame.f_globals.get("__builtins__", {}))
    near = closest(name, (word for scope in scopes if type(scope) is dict for word in scope if type(word) is str))
    return f"Did you mean {near!r}?" if near else ""


def _attribute_hint(failure: Failure) -> str:
    name, value = getattr(failure.error, "name", None), getattr(failure.error, "obj", None)
    if type(name) is not str:
        return ""
    if isinstance(value, torch.Tensor) and name in read_hints().tensor:
        return read_hints().tensor[name]
    near = closest(name, _names_of(value))
    return f"Did you mean {near!r}?" if near else ""


def _names_of(value: object) -> Iterator[str]:
    """Public names of a value, without running anything of its own."""
    if type(value) is View:
        yield from vars(value)
        return
    for base in type(value).__mro__:
        yield from (name for name in base.__dict__ if not name.startswith("_"))
    try:
        yield from (name for name in object.__getattribute__(value, "__dict__") if type(name) is str)
    except AttributeError:
        return


def _transposed_batch(failure: Failure) -> bool:
    """Whether sizes disagree in a function that says `.T` and holds a tensor of more than two dimensions."""
    if failure.frame is None or not re.search(r"size|shape|dimension", failure.words):
        return False
    first = failure.frame.f_code.co_firstlineno
    if not any(re.search(r"\.T\b", line) for line in failure.lines[first - 1 : failure.line]):
        return False
    values = failure.frame.f_locals.values()
    return any(type(value) is torch.Tensor and value.dim() > 2 for value in values)  # noqa: PLR2004 - a matrix has two


def syntax_refusal(error: SyntaxError, text: str) -> Refusal:
    """A syntax error with its line, and a hint where the source was pasted from somewhere."""
    lines = text.split("\n")
    line = min(max(error.lineno or 1, 1), len(lines))
    message = _pasted(lines[line - 1].strip()) or f"syntax error: {error.msg}."
    return Refusal(line, max(error.offset or 1, 1), SYNTAX, message)


def _pasted(line: str) -> str | None:
    if line.startswith(("%", "!")):
        return "notebook commands (% or !) are not Python: remove this line."
    if line.startswith(("```", "~~~")):
        return "this is a Markdown code fence: remove it."
    if line.startswith((">>>", "In [")):
        return "this is a console prompt: paste only the code."
    return None
