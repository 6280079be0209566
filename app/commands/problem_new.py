"""`tensorgrade problem new` and `problem fill`: from a signature to a package that keeps its promises. Trusted side.

new: signature ─► files, with a place for the function     fill: function ─► first cases, their answers from the jail
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import typer

from app.bank import bank_directory, open_bank
from app.checkout import check_out
from app.commands.common import WrongUse, brief_revision, console, one_judge, problem_directory, say
from app.commands.inputs import Draw, drawn_inputs
from app.settings import Settings, read_settings
from judge.acceptance import accept
from judge.errors import JudgeError
from judge.grade import Judge
from problems.errors import PackageError
from problems.package import TRANSPOSED, EntryPoint, Problem
from problems.reading import load_problem
from problems.scaffold import REFERENCE_FILE, Draft, create_package
from problems.writing import NewCase, add_case, check_case

_MATRIX = 2
"""Dimensions that an input needs to be transposed."""


@dataclass(frozen=True, slots=True)
class _First:
    """One of the first cases of a package."""

    name: str
    sizes: tuple[int, ...]
    """For the letters in their order, again from the start when they are more."""
    leading: str = ""
    """Leading dimensions, for shapes that allow any."""
    scale: str = "1"
    transposed: bool = False


_FIRST = (
    _First("sample/01-small", (2, 3, 4, 5)),
    _First("sample/02-random", (4, 2, 5, 3)),
    _First("secret/03-other-sizes", (5, 7, 4, 6, 3)),
    _First("secret/04-batched", (4, 6, 5, 7), leading="3"),
    _First("secret/05-two-leading-dimensions", (3, 5, 4, 6), leading="2x3"),
    _First("secret/06-equal-sizes", (4,)),
    _First("secret/07-size-one", (1,)),
    _First("secret/08-large-values", (3, 4, 6, 5), scale="100"),
    _First("secret/09-small-values", (6, 5, 3, 4), scale="0.01"),
    _First("secret/10-non-contiguous", (5, 3, 6, 4), transposed=True),
    _First("secret/11-more-elements", (33, 17, 40, 21)),
)


def new(
    slug: Annotated[str, typer.Argument(help="Name of the directory and in addresses: a-z, 0-9 and hyphens.")],
    *,
    parameter: Annotated[
        list[str] | None, typer.Option(help='An argument: "X: float32[..., n, d]". Once for each, in order.')
    ] = None,
    result: Annotated[str | None, typer.Option(help='What is returned: "float32[..., n, d]".')] = None,
    function: Annotated[str | None, typer.Option(help="Name of the function; made from SLUG if not given.")] = None,
    name: Annotated[str | None, typer.Option(help="Title of the problem; made from SLUG if not given.")] = None,
    difficulty: Annotated[str, typer.Option(help="easy, medium or hard.")] = "medium",
    reference: Annotated[
        Path | None, typer.Option("--from", help="A right program: takes its function and makes the first cases.")
    ] = None,
) -> None:
    """Start a problem: write a package with everything but the function, or, with --from, with it and first cases.

    Without --parameter and --result the function takes and returns X: float32[..., n].
    """
    checkout = check_out(read_settings())
    settings = checkout.settings
    if settings.database_url is not None and reference is None:
        raise WrongUse(
            "In a database a problem begins with its first cases: give its program with --from. Or write it as files "
            "without TENSORGRADE_DATABASE_URL, and then: tensorgrade problem publish DIRECTORY."
        )
    open_bank(settings)
    draft = Draft(
        slug=slug,
        name=name or slug.replace("-", " ").capitalize(),
        function=function or slug.replace("-", "_"),
        parameters=_parameters(parameter or ["X: float32[..., n]"]),
        result=result or ("float32[..., n]" if not parameter else _missing_result()),
        difficulty=difficulty,
        reference=None if reference is None else _text(reference),
    )
    directory = create_package(bank_directory(settings), draft)
    if reference is None:
        _print_steps(directory, slug)
        return
    try:
        _fill(settings, directory)
        checkout.publish(slug)
    except (PackageError, JudgeError, WrongUse):
        shutil.rmtree(directory)  # we made it a moment ago, and it would be in the way of the next attempt
        raise


def _missing_result() -> str:
    raise WrongUse('Say what the function returns: --result "float32[..., n, d]".')


def _parameters(given: Sequence[str]) -> dict[str, str]:
    """Reads "X: float32[..., n, d]"."""
    parameters: dict[str, str] = {}
    for text in given:
        name, colon, kind = (part.strip() for part in text.partition(":"))
        if not (name and colon and kind):
            raise WrongUse(f'"{text}" is not a parameter; write "X: float32[..., n, d]".')
        if name in parameters:
            raise WrongUse(f"The parameter {name} is given twice.")
        parameters[name] = kind
    return parameters


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise WrongUse(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise WrongUse(f"{path} is not UTF-8 text.") from error


def _print_steps(directory: Path, slug: str) -> None:
    out = console()
    say(out, f"{directory} is written. Next:", "green")
    say(out, f"1. write the right program: {directory / REFERENCE_FILE}")
    say(out, f"2. tensorgrade problem fill {slug}     makes the first cases; their answers come from that program")
    say(out, f"3. tensorgrade verify {slug}           checks everything that the package promises")
    say(
        out,
        "Then: the statement and the theory, more spellings in submissions/accepted, and mistakes that students make.",
    )


def fill(slug: Annotated[str, typer.Argument(help="Slug of a problem without cases.")]) -> None:
    """Make the first cases of a problem whose function is written: samples, batches, odd sizes, large numbers."""
    checkout = check_out(read_settings())
    settings = checkout.settings
    _fill(settings, problem_directory(settings, slug))
    checkout.publish(slug)


def _fill(settings: Settings, directory: Path) -> None:
    package = load_problem(directory)
    if package.cases:
        raise WrongUse(f"{package.slug} has {len(package.cases)} cases already; tensorgrade case add makes one more.")
    out = console()
    with one_judge(settings) as judge:
        for number, first in enumerate(_fitting(package.entry_point), start=1):
            case = _drawn(judge, package, first, seed=number)
            found = accept(judge, package, check_case(package.entry_point, case))
            if found.refusal is None:
                add_case(directory, replace(case, tolerance=found.case.tolerance))
                say(out, f"{case.name}: {case.title}")
            elif found.against:
                raise PackageError(found.refusal)
            else:
                say(out, f"{case.name} is left out: {', '.join(found.vacuous)} would pass it.", "yellow")
            package = load_problem(directory)
    if not package.cases:
        raise WrongUse(f"{package.slug}: no drawn case is worth having; add cases by hand with tensorgrade case add.")
    words = f"{len(package.cases)} cases at revision {brief_revision(package)}. Next: tensorgrade verify {package.slug}"
    say(out, words, "green")


def _fitting(entry_point: EntryPoint) -> Iterator[_First]:
    """Those that these shapes allow, and that are not the same as another."""
    leading = any(parameter.shape.leading for parameter in entry_point.parameters)
    letters = any(parameter.shape.letters for parameter in entry_point.parameters)
    for first in _FIRST:
        if first.leading and not leading:
            continue
        if first.transposed and not _layout(entry_point):
            continue
        if not letters and first.name.endswith(("equal-sizes", "size-one")):
            continue
        yield first


def _layout(entry_point: EntryPoint) -> dict[str, str]:
    matrices = [parameter.name for parameter in entry_point.parameters if len(parameter.shape.dims) >= _MATRIX]
    return dict.fromkeys(matrices, TRANSPOSED)


def _drawn(judge: Judge, package: Problem, first: _First, *, seed: int) -> NewCase:
    entry_point = package.entry_point
    letters = dict.fromkeys(letter for parameter in entry_point.parameters for letter in parameter.shape.letters)
    sizes = [f"{letter}={first.sizes[place % len(first.sizes)]}" for place, letter in enumerate(letters)]
    shape = ",".join([f"...={first.leading}"] * bool(first.leading) + sizes)
    inputs = drawn_inputs(entry_point, Draw(shape, seed, scale=(first.scale,)))
    layout = _layout(entry_point) if first.transposed else {}
    answer = judge.answer(package, inputs, layout=layout)
    title = first.name.partition("-")[2].replace("-", " ").capitalize()
    tolerance = package.tolerance.for_answer(answer)
    return NewCase(first.name, title, inputs, answer, tolerance, seed=seed, layout=layout)
