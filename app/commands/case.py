"""`tensorgrade case add` and `case list`. Trusted side.

Adding: inputs ─► answer, computed in the jail ─► right programs agree, wrong ones fail ─► crash-safe write. Whatever
fails on the way leaves the package as it was; a running server judges with the new case from its next look at the
bank on.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated

import typer
from rich.table import Table

from app.checkout import check_out
from app.commands.case_words import case_json, tell
from app.commands.common import (
    Exit,
    Format,
    FormatOption,
    WrongUse,
    brief_revision,
    console,
    one_judge,
    print_json,
    problem_directory,
    remember,
    safe_text,
)
from app.commands.inputs import Dist, Draw, Inputs, drawn_inputs, file_inputs, npy_inputs
from app.settings import read_settings
from judge.acceptance import accept
from problems.errors import CaseExists
from problems.package import EntryPoint, Problem
from problems.reading import check_case_name, load_problem
from problems.writing import NewCase, add_case, check_case

SEED_BITS = 32


def add(  # noqa: PLR0913 -- one argument an option
    context: typer.Context,
    problem: Annotated[str, typer.Argument(help="Slug of the problem.")],
    name: Annotated[str, typer.Argument(help='Group and name: "secret/20-long-keys".')],
    *,
    shape: Annotated[str | None, typer.Option(help="Draw inputs of these sizes: ...=2x3,n=3,m=20,d_k=7,d_v=5.")] = None,
    dist: Annotated[Dist, typer.Option(help="What to draw from.")] = Dist.NORMAL,
    scale: Annotated[list[str] | None, typer.Option(help="Times this: 2.5, or V=1000 for one input.")] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of the generator; without it one is chosen.", min=0)] = None,
    inputs: Annotated[str | None, typer.Option(help="Read them: FILE.safetensors, FILE.json, - for JSON.")] = None,
    title: Annotated[str | None, typer.Option(help="What students read, for a secret case too.")] = None,
    description: Annotated[str, typer.Option(help="For authors only.")] = "",
    layout: Annotated[list[str] | None, typer.Option(help="K=transposed: K arrives non-contiguous.")] = None,
    hint: Annotated[str | None, typer.Option(help="Shown to who fails the case.")] = None,
    full_feedback: Annotated[bool, typer.Option("--full-feedback", help="Show values though it is secret.")] = False,
    vacuous: Annotated[str | None, typer.Option(help="Why it is right that zeros or an input pass the case.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Check everything, write nothing.")] = False,
    output: FormatOption = Format.TEXT,
) -> None:
    """Add a case. Its answer is computed in the jail, and every accepted program must agree with it.

    Instead of --shape or --inputs, name one .npy file for each input: --Q q.npy --K k.npy --V v.npy.
    """
    checkout = check_out(read_settings())
    directory = problem_directory(checkout.settings, problem)
    package = load_problem(directory)
    _check_new_name(package, name)
    files = _files_by_input(package.entry_point, context.args)
    ways = [way for way, used in (("--shape", shape), ("--inputs", inputs), (".npy files", files)) if used]
    if len(ways) != 1:
        raise WrongUse("Give the inputs in one way: --shape, --inputs, or a .npy file for each input.")
    if shape is None and (seed is not None or scale or dist is not Dist.NORMAL):
        raise WrongUse("--seed, --scale and --dist go with --shape: inputs from files are taken as they are.")
    if shape is not None and seed is None:
        seed = secrets.randbits(SEED_BITS)
    tensors = _inputs(package.entry_point, shape and Draw(shape, seed or 0, dist, scale or ()), inputs, files)
    layouts = read_layouts(layout or ())
    with one_judge(checkout.settings) as judge:
        answer = judge.answer(package, tensors, layout=layouts)
        case = NewCase(
            name=name,
            title=title or _title_of(name),
            description=description,
            inputs=tensors,
            answer=answer,
            tolerance=package.tolerance.for_answer(answer),
            seed=seed,
            layout=layouts,
            hint=hint,
            full_feedback=full_feedback,
            vacuous=vacuous,
        )
        found = accept(judge, package, check_case(package.entry_point, case))
        written = found.refusal is None and not dry_run
        if written:
            add_case(directory, replace(case, tolerance=found.case.tolerance))
            checkout.publish(problem)
            remember(judge, package := load_problem(directory), found)
    tell(package, found, output, written=written)
    raise typer.Exit(Exit.GOOD if found.refusal is None else Exit.NOT_MET)


def _check_new_name(package: Problem, name: str) -> None:
    check_case_name(name)
    if any(case.name == name for case in package.cases):
        raise CaseExists(f"{name} is there already; choose another name or remove it first.")


def _files_by_input(entry_point: EntryPoint, arguments: Sequence[str]) -> dict[str, str]:
    """Reads `--Q q.npy --K=k.npy`: options whose names only the package knows."""
    names = [parameter.name for parameter in entry_point.parameters]
    files: dict[str, str] = {}
    left = list(arguments)
    while left:
        option, equals, path = left.pop(0).partition("=")
        name = option.removeprefix("--")
        if option == name or name not in names:
            raise WrongUse(f"{option} is not an option of case add; inputs are {', '.join('--' + n for n in names)}.")
        if not equals and not left:
            raise WrongUse(f"{option} needs a .npy file.")
        if name in files:
            raise WrongUse(f"{option} is given twice.")
        files[name] = path if equals else left.pop(0)
    return files


def _inputs(entry_point: EntryPoint, draw: Draw | str | None, path: str | None, files: Mapping[str, str]) -> Inputs:
    if isinstance(draw, Draw):
        return drawn_inputs(entry_point, draw)
    return npy_inputs(entry_point, files) if path is None else file_inputs(entry_point, path)


def read_layouts(given: Sequence[str]) -> dict[str, str]:
    """Reads "K=transposed"; "K=contiguous" is what an input is without a layout."""
    pairs = [text.partition("=") for text in given]
    for name, equals, kind in pairs:
        if not (name and equals and kind):
            raise WrongUse(f'"{name}{equals}{kind}" is not a layout; write K=transposed.')
    return {name: kind for name, _, kind in pairs if kind != "contiguous"}


def _title_of(name: str) -> str:
    """What a name says by itself: "secret/20-long-keys" -> "long keys"."""
    stem = name.partition("/")[2]
    number, _, rest = stem.partition("-")
    return (rest if number.isdigit() and rest else stem).replace("-", " ")


def list_cases(
    problem: Annotated[str, typer.Argument(help="Slug of the problem.")], output: FormatOption = Format.TEXT
) -> None:
    """List the cases of a problem: sizes, seeds and tolerances, never values."""
    checkout = check_out(read_settings())
    package = load_problem(problem_directory(checkout.settings, problem))
    rows = [case_json(case) for case in package.cases]
    if output is Format.JSON:
        print_json({"problem": package.slug, "revision": package.revision, "items": rows})
        return
    table = Table("Case", "Title", "Inputs", "Seed", "rtol", "atol", "Notes")
    for row in rows:
        shapes = " ".join(f"{name}{tuple(shape)}" for name, shape in row["shapes"].items())
        notes = [f"{name} {kind}" for name, kind in row["layout"].items()] + ["full feedback"] * row["full_feedback"]
        seed = "" if row["seed"] is None else row["seed"]
        cells = (row["case"], row["title"], shapes, seed, f"{row['rtol']:.3g}", f"{row['atol']:.3g}", ", ".join(notes))
        table.add_row(*(safe_text(cell) for cell in cells))
    console().print(table)
    console().print(safe_text(f"{len(rows)} cases at revision {brief_revision(package)}."))
