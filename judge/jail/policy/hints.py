"""What to say beyond Python's own words. Runs inside the jail."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from types import FrameType

import torch

from judge.jail.policy.errors import SYNTAX, Refusal
from judge.jail.policy.views import View

_IMPORTS = {
    "F": "import torch.nn.functional as F",
    "Tensor": "from torch import Tensor",
    "dataclass": "from dataclasses import dataclass",
    "lru_cache": "from functools import lru_cache",
    "namedtuple": "from collections import namedtuple",
    "nn": "from torch import nn",
    "np": "import numpy as np",
    "partial": "from functools import partial",
    "reduce": "from functools import reduce",
    "sqrt": "from math import sqrt",
}
_MODULES = frozenset(
    "collections copy dataclasses functools itertools math numpy operator random time torch typing".split()
)

_TENSOR_WORDS = {
    "astype": "Use .to(dtype): tensors have no astype.",
    "concatenate": "Use torch.cat([...], dim=...).",
    "copy": "Use .clone(): tensors have no copy.",
    "dims": "Use .dim() or .ndim.",
    "length": "Use .shape[-1] or len(x).",
}

_TRANSPOSE = "The inner sizes must agree: transpose the last two dimensions with .mT or .transpose(-2, -1)."
_LEADING = "There may be leading batch dimensions: use x.shape[-1] and x.shape[-2], or *batch, n, d = x.shape."
_MISSING_RETURN = "The value is None: does the function that made it lack a return?"

_HINTS: tuple[tuple[str, str, str], ...] = (
    # exception type, what its text matches, what to say
    ("RuntimeError", r"view size is not compatible", "The tensor is not contiguous (after transpose or permute): use .reshape(...)."),
    ("RuntimeError", r"shapes cannot be multiplied|Expected size for first two dimensions of batch2|size mismatch, got", _TRANSPOSE),
    ("RuntimeError", r"must be a 3D tensor|batch[12] must be", "Use @ or torch.matmul: they take any number of leading dimensions."),
    ("RuntimeError", r"t\(\) expects a tensor with <= 2 dimensions", "Use .mT or .transpose(-2, -1): .t() is for two dimensions."),
    ("RuntimeError", r"mat[12] must be a matrix|self must be a matrix|2D tensors? expected|vector \+ matrix",
     "torch.mm is for two dimensions: use @ or torch.matmul."),
    ("RuntimeError", r"must match the size of tensor|not broadcastable|must match the existing size",
     "Shapes are compared from the right, and a size of 1 stretches: keepdim=True keeps a reduced dimension."),
    ("RuntimeError", r"shape '.*' is invalid for input of size", "The product of the sizes must stay the same."),
    ("RuntimeError", r"expected m1 and m2 to have the same dtype|expected scalar type|have the same dtype",
     "Convert with .to(Q.dtype): both sides need one dtype."),
    ("RuntimeError", r"does not require grad", "Inputs do not require gradients: use x.detach().requires_grad_()."),
    ("RuntimeError", r"Boolean value of Tensor with more than one value",
     "A condition needs one value: use torch.where, .any() or .all()."),
    ("RuntimeError", r"a Tensor with \d+ elements cannot be converted to Scalar", "Use torch.sqrt, torch.exp, ...: math works on single numbers."),
    ("ValueError", r"only one element tensors can be converted", "Use torch.sqrt, torch.exp, ...: math works on single numbers."),
    ("TypeError", r"only (one element|integer) tensors|only length-1 arrays", "Use torch.sqrt, torch.exp, ...: math works on single numbers."),
    ("TypeError", r"must be Tensor, not (int|float)", "torch functions need a tensor: use math.sqrt(d) or d ** 0.5 for a plain number."),
    ("TypeError", r"transpose\(\) received an invalid combination", "transpose swaps two dimensions, as in .transpose(-2, -1); permute reorders all."),
    ("TypeError", r"softmax\(\) (missing|received an invalid)", "softmax needs its dimension: dim=-1 for the last."),
    ("TypeError", r"'torch.Size' object is not callable", "shape is not a function: use x.shape[-1] or x.size(-1)."),
    ("TypeError", r"'Tensor' object is not callable", "A tensor cannot be called: is an operator missing before the bracket, or is it x[...]?"),
    ("TypeError", r"'builtin_function_or_method' object is not subscriptable", "It is a function: call it with (...), as in x.size(-1), or use x.shape[-1]."),
    ("TypeError", r"NoneType", _MISSING_RETURN),
    ("IndexError", r"Dimension out of range", "Counted from the end, -1 is the last dimension and -2 the one before, however many there are."),
    ("IndexError", r"too many indices for tensor", _LEADING),
    ("ValueError", r"(too many|not enough) values to unpack", _LEADING),
    ("UnboundLocalError", r"", "A name that a function assigns anywhere is local to it: assign it first, or declare it global or nonlocal."),
    ("RecursionError", r"", "A function calls itself without coming to an end."),
    ("ZeroDivisionError", r"", "A size or a count is 0 here."),
)  # fmt: skip


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
    if failure.type_name == "NameError":
        return _name_hint(failure)
    if failure.type_name == "AttributeError":
        return _attribute_hint(failure)
    if failure.type_name == "ImportError":
        return ""
    if failure.type_name == "RuntimeError" and _transposed_batch(failure):
        return ".T reverses all dimensions of a batch: use .mT or .transpose(-2, -1)."
    for type_name, pattern, sentence in _HINTS:
        if type_name == failure.type_name and re.search(pattern, failure.words):
            return sentence
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
    if name in _IMPORTS:
        return f"The import is missing: {_IMPORTS[name]}"
    if name in _MODULES:
        return f"import {name} is missing."
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
    if "'NoneType' object" in failure.words:
        return _MISSING_RETURN
    if isinstance(value, torch.Tensor) and name in _TENSOR_WORDS:
        return _TENSOR_WORDS[name]
    near = closest(name, _names_of(value))
    return f"Did you mean {near!r}?" if near else ""


def _names_of(value: object) -> Iterator[str]:
    """Public names of a value, without running anything of its own."""
    if type(value) is View:
        yield from value._table
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
    line = error.lineno or 1
    lines = text.split("\n")
    source = lines[line - 1].strip() if 1 <= line <= len(lines) else ""
    message = _pasted(source) or f"syntax error: {error.msg}."
    return Refusal(line, max(error.offset or 1, 1), SYNTAX, message)


def _pasted(line: str) -> str | None:
    if line.startswith(("%", "!")):
        return "notebook commands (% or !) are not Python: remove this line."
    if line.startswith(("```", "~~~")):
        return "this is a Markdown code fence: remove it."
    if line.startswith((">>>", "In [")):
        return "this is a console prompt: paste only the code."
    return None
