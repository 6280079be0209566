"""`tensorgrade case add` and `case list`: what an author does with cases. Trusted side.

Adding: inputs ─► answer, computed in the jail ─► every accepted program agrees ─► crash-safe write. Whatever fails on
the way leaves the package as it was; a running server judges with the new case from its next look at the bank on.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import typer
from rich.table import Table

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
    safe_text,
)
from app.commands.inputs import Dist, Draw, Inputs, drawn_inputs, file_inputs, npy_inputs
from app.settings import read_settings
from judge.grade import Judge
from judge.report import Verdict
from problems.errors import CaseExists
from problems.package import Case, EntryPoint, Problem
from problems.reading import check_case_name, load_problem
from problems.writing import NewCase, add_case, check_case

SEED_BITS = 32


@dataclass(frozen=True, slots=True)
class _Disagreement:
    """An accepted program that does not give the answer of the new case."""

    program: str
    verdict: Verdict | None
    message: str


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
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Check everything, write nothing.")] = False,
    output: FormatOption = Format.TEXT,
) -> None:
    """Add a case. Its answer is computed in the jail, and every accepted program must agree with it.

    Instead of --shape or --inputs, name one .npy file for each input: --Q q.npy --K k.npy --V v.npy.
    """
    settings = read_settings()
    directory = problem_directory(settings, problem)
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
    layouts = _layouts(layout or ())
    with one_judge(settings) as judge:
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
        )
        checked = check_case(package.entry_point, case)
        against = _disagreements(judge, package, checked)
    written = not against and not dry_run
    if written:
        add_case(directory, case)
    body = _added_json(load_problem(directory), checked, against, written=written)
    print_json(body) if output is Format.JSON else _print_added(body)
    raise typer.Exit(Exit.NOT_MET if against else Exit.GOOD)


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


def _layouts(given: Sequence[str]) -> dict[str, str]:
    pairs = [text.partition("=") for text in given]
    for name, equals, kind in pairs:
        if not (name and equals and kind):
            raise WrongUse(f'"{name}{equals}{kind}" is not a layout; write K=transposed.')
    return {name: kind for name, _, kind in pairs}


def _title_of(name: str) -> str:
    """What a name says by itself: "secret/20-long-keys" -> "long keys"."""
    stem = name.partition("/")[2]
    number, _, rest = stem.partition("-")
    return (rest if number.isdigit() and rest else stem).replace("-", " ")


def _disagreements(judge: Judge, package: Problem, case: Case) -> list[_Disagreement]:
    """The accepted programs that fail this case, each with what was wrong; JudgeError when the judge fails."""
    against = []
    for program in package.accepted:
        report = judge.grade(package, program.source, cases=[case])
        if report.verdict is Verdict.ACCEPTED:
            continue
        said = [result.message or result.brief for result in report.cases] or [error.message for error in report.errors]
        against.append(_Disagreement(program.name, report.verdict, " ".join(said)))
    return against


def _added_json(package: Problem, case: Case, against: list[_Disagreement], *, written: bool) -> dict[str, Any]:
    return {
        "problem": package.slug,
        "revision": package.revision,
        "case": _case_json(case),
        "accepted_programs": len(package.accepted),
        "against": [{"program": one.program, "verdict": one.verdict, "message": one.message} for one in against],
        "written": written,
    }


def _print_added(body: dict[str, Any]) -> None:
    out, case = console(), body["case"]
    shapes = ", ".join(f"{name} {tuple(shape)}" for name, shape in case["shapes"].items())
    out.print(safe_text(f"{case['case']}: {case['title']}", "bold"))
    out.print(safe_text(f"inputs: {shapes}" + (f", seed {case['seed']}" if case["seed"] is not None else "")))
    out.print(safe_text(f"tolerance: rtol {case['rtol']:.3g}, atol {case['atol']:.3g}"))
    for one in body["against"]:
        out.print(safe_text(f"{one['program']} does not agree: {one['message']}", "red"))
    agreed = body["accepted_programs"] - len(body["against"])
    out.print(safe_text(f"{agreed} of {body['accepted_programs']} accepted programs agree."))
    if body["written"]:
        out.print(safe_text(f"Added; the package is now at revision {body['revision'][:12]}.", "green"))
    else:
        out.print(safe_text("Nothing was written."))


def list_cases(
    problem: Annotated[str, typer.Argument(help="Slug of the problem.")], output: FormatOption = Format.TEXT
) -> None:
    """List the cases of a problem: sizes, seeds and tolerances, never values."""
    package = load_problem(problem_directory(read_settings(), problem))
    rows = [_case_json(case) for case in package.cases]
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


def _case_json(case: Case) -> dict[str, Any]:
    return {
        "case": case.name,
        "title": case.title,
        "shapes": {name: list(array.shape) for name, array in case.inputs.items()},
        "answer_shape": list(case.answer.shape),
        "rtol": case.tolerance.rtol,
        "atol": case.tolerance.atol,
        "seed": case.seed,
        "layout": dict(case.layout),
        "full_feedback": case.full_feedback,
        "hint": case.hint,
    }
