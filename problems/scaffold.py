"""A new package: everything that the format asks for, with places for an author to fill in. Trusted side.

What is written loads at once. Its reference raises NotImplementedError until its author writes the function; then
cases can be added, and the package keeps its promises.
"""

from __future__ import annotations

import tempfile
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import yaml

from problems.errors import PackageError
from problems.metadata import EntryPointYaml, ProblemYaml, read_metadata
from problems.package import EntryPoint
from problems.reading import (
    PROBLEM_FILE,
    STARTER_FILE,
    STATEMENT_FILE,
    SUBMISSIONS_FILE,
    THEORY_FILE,
    entry_point_of,
    slug_of,
)
from problems.shapes import SymbolicShape, parse_type

REFERENCE_FILE = "submissions/accepted/reference.py"
_FOLDER = "submissions/wrong_answer"


@dataclass(frozen=True, slots=True)
class Draft:
    """What an author says of a new problem."""

    slug: str
    name: str
    function: str
    parameters: Mapping[str, str]
    """Name and type: "float32[..., n, d]"."""
    result: str
    difficulty: str = "medium"
    license: str = "CC BY 4.0"
    reference: str | None = None
    """The source of a right program; None leaves a place for it."""


def create_package(bank: Path, draft: Draft) -> Path:
    """Writes a package as a whole or not at all; gives its directory.

    PackageError when the draft does not hold what the format asks for, when there is something of that name, or when
    the disk refuses.
    """
    directory = bank / draft.slug
    slug_of(directory)
    files = _files(draft)
    if directory.exists():
        raise PackageError(f"{directory} is there already; choose another name.")
    try:
        with tempfile.TemporaryDirectory(prefix=".incoming-", dir=bank) as incoming:
            package = Path(incoming) / draft.slug
            for name, text in files.items():
                path = package / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            package.chmod(0o755)
            package.rename(directory)
    except OSError as error:
        raise PackageError(f"{directory} cannot be written: {error.strerror}; nothing was changed.") from error
    return directory


def _files(draft: Draft) -> dict[str, str]:
    document = _document(draft)
    text = yaml.safe_dump(document, sort_keys=False, allow_unicode=True, width=110)
    entry_point = entry_point_of(_checked(text))
    head = f"import torch\n\n\n{_signature(entry_point)}\n"
    words = f'    """\n    Returns the output of {draft.function}.\n    """\n'
    todo = '    raise NotImplementedError("write the right program here")\n'
    wrong = {"returns-nothing": "    pass\n", "returns-zeros": f"    return torch.zeros({_result(entry_point)})\n"}
    return {
        PROBLEM_FILE: text,
        STATEMENT_FILE: _statement(draft),
        THEORY_FILE: _THEORY,
        STARTER_FILE: f"{head}{words}    pass\n",
        SUBMISSIONS_FILE: _SUBMISSIONS,
        REFERENCE_FILE: draft.reference if draft.reference is not None else f"{head}{words}{todo}",
        **{f"{_FOLDER}/{name}.py": head + body for name, body in wrong.items()},
    }


def _document(draft: Draft) -> dict[str, object]:
    return {
        "problem_format_version": "2025-09",
        "name": draft.name,
        "uuid": str(uuid.uuid4()),
        "source": {"title": draft.name},
        "difficulty": draft.difficulty,
        "license": draft.license,
        "keywords": [],
        "hints": [],
        "entry_point": {
            "function": draft.function,
            "parameters": [{"name": name, "type": kind} for name, kind in draft.parameters.items()],
            "result": draft.result,
        },
        "limits": {"time_s": 2.0, "total_time_s": 20.0, "memory_mib": 512, "stdout_kib": 64, "source_kib": 64},
        "tolerance": {"rtol": 1e-5, "atol_per_max": 1e-5},
        "policy": {"forbid": [], "imports": []},
    }


def _checked(text: str) -> EntryPointYaml:
    """By the reader's own rules, so that what is written loads."""
    return read_metadata(ProblemYaml, text, where=PROBLEM_FILE).entry_point


def _signature(entry_point: EntryPoint) -> str:
    arguments = ", ".join(f"{parameter.name}: torch.Tensor" for parameter in entry_point.parameters)
    return f"def {entry_point.function}({arguments}) -> torch.Tensor:"


def _result(entry_point: EntryPoint) -> str:
    """An expression that gives the shape of the result."""
    shape = entry_point.result_shape
    parts = [_size(entry_point, dim) for dim in shape.dims]
    if shape.leading:
        owner = next(parameter for parameter in entry_point.parameters if parameter.shape.leading)
        own = len(owner.shape.dims)
        parts.insert(0, f"*{owner.name}.shape[:-{own}]" if own else f"*{owner.name}.shape")
    return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"


def _size(entry_point: EntryPoint, dim: str | int) -> str:
    if isinstance(dim, int):
        return str(dim)
    for parameter in entry_point.parameters:
        if dim in parameter.shape.dims:
            return f"{parameter.name}.shape[{parameter.shape.dims.index(dim) - len(parameter.shape.dims)}]"
    raise PackageError(f'the result uses the letter "{dim}", which no parameter has.')


def _statement(draft: Draft) -> str:
    rows = "\n".join(f"- `{name}`: shape {_shape_words(kind)}" for name, kind in draft.parameters.items())
    return f"""Write `{draft.function}`. Say here what it must compute, with formulas such as $y = f(x)$.

## Input

{rows}

## Output

A tensor of shape {_shape_words(draft.result)}.
"""


def _shape_words(kind: str) -> str:
    shape: SymbolicShape = parse_type(kind)[1]
    return f"`({shape})`"


_THEORY = """## What it is

Explain the idea here. Each heading below is one pitfall; the messages in submissions/submissions.yaml point at them.

## Pitfalls

### The return value {#pitfall-return-value}

The function must return the tensor that it computes.
"""

_SUBMISSIONS = """# What each wrong program must get, and what a teacher says to who wrote it. A folder is a
# verdict; pitfalls are anchors of statement/theory.en.md.
reference: accepted/reference.py
submissions:
  wrong_answer/returns-nothing.py:
    title: "Nothing returned"
    message: >-
      Your function returns nothing. End it with a return statement.
    pitfall: return-value
    reason: returned_none
  wrong_answer/returns-zeros.py:
    title: "Zeros returned"
    message: >-
      Your output is all zeros: the tensor is made but never filled.
    pitfall: return-value
    reason: values_differ
"""
