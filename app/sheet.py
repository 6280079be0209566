"""What the page says about one problem: statement, signature, example, rules. Trusted side.

Everything that a student reads here comes from the same values that judge: shapes from the entry point, the example
from the first sample, tolerance and limits from the package. Of a secret case only its name and title are looked at.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from app.figure import figure_of
from problems.package import Case, Problem
from problems.render import render_markdown
from problems.shapes import SymbolicShape

LARGEST_EXAMPLE = 8
"""Rows and columns up to which a sample is printed as a matrix."""
LARGEST_SAMPLE = 256
"""Elements up to which a sample's inputs travel with the page, to start inputs of one's own from."""


@dataclass(frozen=True, slots=True)
class ShapeRow:
    """One line of the shape table."""

    name: str
    shape: str
    dtype: str
    is_result: bool = False


@dataclass(frozen=True, slots=True)
class Example:
    """The first sample as formulas."""

    inputs: Markup
    output: Markup


@dataclass(frozen=True, slots=True)
class Sheet:
    """All that the templates need of one problem at one revision."""

    slug: str
    title: str
    difficulty: str
    source_title: str
    source_url: str | None
    starter: str
    signature: str
    """What must be defined; empty where the statement shows it itself."""
    shapes: tuple[ShapeRow, ...]
    shape_note: str
    intro: Markup
    """The statement up to its first heading: the task in a sentence."""
    rest: Markup
    example: Example | None
    theory: Markup | None
    hints: tuple[Markup, ...]
    samples: tuple[str, ...]
    case_count: int
    rtol: str
    atol_per_max: str
    limits: str
    forbidden: tuple[str, ...]
    data: dict[str, Any]
    """What the scripts need, as JSON."""


def sheet_of(problem: Problem) -> Sheet:
    """The sheet of a problem; PackageError where its Markdown cannot be rendered."""
    intro, rest = _split(render_markdown(problem.statement, where=f"{problem.slug}/statement/problem.en.md"))
    shows_shapes = "<table" in intro
    return Sheet(
        slug=problem.slug,
        title=problem.name,
        difficulty=problem.difficulty,
        source_title=problem.source.title,
        source_url=problem.source.url,
        starter=problem.starter,
        signature="" if shows_shapes else _signature(problem),
        shapes=_shape_rows(problem),
        shape_note=_shape_note(problem),
        intro=Markup(intro),  # noqa: S704 -- made by render_markdown, which escapes HTML
        rest=Markup(rest),  # noqa: S704 -- the same
        example=_example(problem),
        theory=_theory(problem),
        hints=tuple(
            Markup(render_markdown(hint, where=f"{problem.slug}/problem.yaml, hint {number}"))  # noqa: S704 -- the same
            for number, hint in enumerate(problem.hints, 1)
        ),
        samples=tuple(case.name for case in problem.samples),
        case_count=len(problem.cases),
        rtol=_plain(problem.tolerance.rtol),
        atol_per_max=_plain(problem.tolerance.atol_per_max),
        limits=_limits(problem),
        forbidden=tuple(dict.fromkeys(forbidden.message for forbidden in problem.policy.forbid)),
        data=_data(problem),
    )


def _split(html: str) -> tuple[str, str]:
    """A statement before and from its first second-level heading."""
    start = html.find("<h2")
    return (html, "") if start < 0 else (html[:start], html[start:])


def _signature(problem: Problem) -> str:
    """The starter's own `def` line; else one made from the entry point."""
    entry = problem.entry_point
    try:
        nodes = ast.parse(problem.starter).body
    except SyntaxError:
        nodes = []
    for node in nodes:
        if isinstance(node, ast.FunctionDef) and node.name == entry.function:
            arguments = ",\n".join(f"    {ast.unparse(argument)}" for argument in node.args.args)
            returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
            return f"def {entry.function}(\n{arguments},\n){returns}"
    return f"def {entry.function}({', '.join(parameter.name for parameter in entry.parameters)})"


def _shape_rows(problem: Problem) -> tuple[ShapeRow, ...]:
    entry = problem.entry_point
    rows = [ShapeRow(parameter.name, str(parameter.shape), parameter.dtype) for parameter in entry.parameters]
    rows.append(ShapeRow("result", str(entry.result_shape), entry.result_dtype, is_result=True))
    return tuple(rows)


def _shape_note(problem: Problem) -> str:
    shapes = [parameter.shape for parameter in problem.entry_point.parameters]
    sentences = ["A letter is one size, the same wherever it stands; every size is at least 1."]
    if any(shape.leading for shape in shapes):
        rank = min(len(shape.dims) for shape in shapes)
        sentences.append(
            f"“...” is any number of leading dimensions, equal for all tensors and possibly none (rank ≥ {rank})."
        )
    sentences.append("All values are finite. Inputs may be non-contiguous in memory.")
    return " ".join(sentences)


def _example(problem: Problem) -> Example | None:
    """The first sample as matrices; None where it is too large to read or no matrix."""
    if not problem.samples:
        return None
    case = problem.samples[0]
    arrays: list[NDArray[Any]] = [*case.inputs.values(), case.answer]
    if not all(_is_small_matrix(array) for array in arrays):
        return None
    where = f"{problem.slug}/data/{case.name}"
    inputs = r",\quad ".join(f"{name} = {_matrix(array)}" for name, array in case.inputs.items())
    output = rf"\text{{output}} = {_matrix(case.answer)}"
    return Example(
        inputs=Markup(render_markdown(f"$$\n{inputs}\n$$", where=where)),  # noqa: S704 -- made of numbers and names
        output=Markup(render_markdown(f"$$\n{output}\n$$", where=where)),  # noqa: S704 -- the same
    )


def _is_small_matrix(array: NDArray[Any]) -> bool:
    return array.ndim == 2 and max(array.shape) <= LARGEST_EXAMPLE  # noqa: PLR2004 -- a matrix has two


def _matrix(array: NDArray[Any]) -> str:
    rows = r" \\ ".join(" & ".join(_brief(float(value)) for value in row) for row in array)
    return rf"\begin{{pmatrix}} {rows} \end{{pmatrix}}"


def _brief(value: float) -> str:
    """At most four decimals, no trailing zeros."""
    text = f"{value:.4f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _theory(problem: Problem) -> Markup | None:
    """The theory, with the worked example as a figure where the problem is one that we can draw."""
    if problem.theory is None:
        return None
    html = render_markdown(problem.theory, where=f"{problem.slug}/statement/theory.en.md")
    return Markup(_before_pitfalls(html, figure_of(problem)))  # noqa: S704 -- render_markdown's, and numbers of ours


def _before_pitfalls(html: str, figure: str) -> str:
    """The figure closes what is explained; the section of pitfalls, if any, comes after it."""
    first_pitfall = html.find('id="pitfall-')
    section = html.rfind("<h2", 0, first_pitfall) if first_pitfall >= 0 else len(html)
    place = section if section >= 0 else len(html)
    return html[:place] + figure + html[place:]


def _plain(value: float) -> str:
    """A tolerance as students write it: 1e-5."""
    mantissa, _, exponent = f"{value:.6e}".partition("e")
    return f"{mantissa.rstrip('0').rstrip('.')}e{int(exponent)}"


def _limits(problem: Problem) -> str:
    limits = problem.limits
    return (
        f"{limits.time_s:g} s for a case and {limits.total_time_s:g} s in all, {limits.memory_mib} MiB of memory, "
        f"{limits.source_kib} KiB of code, {limits.stdout_kib} KiB of printed text kept for a case"
    )


def _data(problem: Problem) -> dict[str, Any]:
    entry = problem.entry_point
    return {
        "slug": problem.slug,
        "revision": problem.revision,
        "function": entry.function,
        "starter": problem.starter,
        "parameters": [{"name": parameter.name, **_shape(parameter.shape)} for parameter in entry.parameters],
        "result": _shape(entry.result_shape),
        "tolerance": {"rtol": problem.tolerance.rtol, "atolPerMax": problem.tolerance.atol_per_max},
        "cases": [{"case": case.name, "title": case.title} for case in problem.cases],
        "samples": [_sample(case) for case in problem.samples],
        "sourceKib": problem.limits.source_kib,
    }


def _shape(shape: SymbolicShape) -> dict[str, Any]:
    return {"shape": str(shape), "dims": list(shape.dims), "leading": shape.leading}


def _sample(case: Case) -> dict[str, Any]:
    small = sum(array.size for array in case.inputs.values()) <= LARGEST_SAMPLE
    inputs = {name: np.asarray(array, dtype=np.float64).tolist() for name, array in case.inputs.items()}
    return {
        "case": case.name,
        "title": case.title,
        "rtol": case.tolerance.rtol,
        "atol": case.tolerance.atol,
        "inputs": {name: _rounded(values) for name, values in inputs.items()} if small else None,
    }


def _rounded(values: Any) -> Any:  # noqa: ANN401 -- nested lists of any depth
    """Nested lists with the shortest decimals that give the same float32 back."""
    if isinstance(values, list):
        return [_rounded(value) for value in values]
    return float(str(np.float32(values)))
