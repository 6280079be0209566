"""`tensorgrade case show`, `case edit` and `case remove`. Trusted side."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import numpy as np
import typer
from rich.console import Console

from app.checkout import check_out
from app.commands.case import read_layouts
from app.commands.case_words import case_json, print_case, print_written, tell
from app.commands.common import (
    Exit,
    Format,
    FormatOption,
    WrongUse,
    console,
    one_judge,
    print_json,
    problem_directory,
    remember,
    say,
    the_case,
)
from app.settings import read_settings
from app.tensors import tensor_json
from judge.acceptance import accept, surviving_without
from judge.vacuity import accepted_for_nothing
from problems.package import Case, Tolerance
from problems.reading import load_problem
from problems.writing import changed, check_case, edit_case, remove_case

ProblemArgument = Annotated[str, typer.Argument(help="Slug of the problem.")]
NameArgument = Annotated[str, typer.Argument(help='Group and name: "secret/20-long-keys".')]


def show(
    problem: ProblemArgument,
    name: NameArgument,
    *,
    values: Annotated[bool, typer.Option("--values", help="Print inputs and answer, too: they are secret.")] = False,
    output: FormatOption = Format.TEXT,
) -> None:
    """Show a case: sizes, ranges, tolerance, what it says to students and authors."""
    checkout = check_out(read_settings())
    case = the_case(load_problem(problem_directory(checkout.settings, problem)), name)
    body = _shown_json(case, values=values)
    print_json(body) if output is Format.JSON else _print_shown(console(), case, values=values)


def edit(  # noqa: PLR0913 -- one argument an option
    problem: ProblemArgument,
    name: NameArgument,
    *,
    title: Annotated[str | None, typer.Option(help="What students read.")] = None,
    description: Annotated[str | None, typer.Option(help="For authors only.")] = None,
    hint: Annotated[str | None, typer.Option(help='Shown to who fails the case; "" removes it.')] = None,
    vacuous: Annotated[str | None, typer.Option(help='Why zeros or an input may pass; "" removes it.')] = None,
    full_feedback: Annotated[
        bool | None, typer.Option("--full-feedback/--no-full-feedback", help="Show values though it is secret.")
    ] = None,
    rtol: Annotated[float | None, typer.Option(help="Relative tolerance.", min=0)] = None,
    atol: Annotated[float | None, typer.Option(help="Absolute tolerance.", min=0)] = None,
    layout: Annotated[list[str] | None, typer.Option(help="K=transposed: K arrives non-contiguous.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Check everything, write nothing.")] = False,
    output: FormatOption = Format.TEXT,
) -> None:
    """Change what a case says of itself. Another tolerance or layout is tried on every program first.

    Its inputs and answer stay: for others remove the case and add one.
    """
    checkout = check_out(read_settings())
    settings = checkout.settings
    directory = problem_directory(settings, problem)
    package = load_problem(directory)
    case = the_case(package, name)
    changes = _changed_words({"title": title, "description": description, "hint": hint, "vacuous": vacuous})
    if full_feedback is not None:
        changes["full_feedback"] = full_feedback
    if rtol is not None or atol is not None:
        old = case.tolerance
        changes["tolerance"] = Tolerance(old.rtol if rtol is None else rtol, old.atol if atol is None else atol)
    if layout is not None:
        changes["layout"] = read_layouts(layout)
    if not changes:
        raise WrongUse("Say what to change; tensorgrade case edit --help lists the options.")
    new = changed(case, **changes)
    checked = check_case(package.entry_point, new)
    if changes.keys() & {"tolerance", "layout"}:
        with one_judge(settings) as judge:
            found = accept(judge, package, checked, fixed_tolerance=True)
            written = found.refusal is None and not dry_run
            if written:
                edit_case(directory, new)
                checkout.publish(problem)
                package = load_problem(directory)
                remember(judge, package, found)
        tell(package, found, output, written=written)
        raise typer.Exit(Exit.GOOD if found.refusal is None else Exit.NOT_MET)
    _refuse_vacuous(checked)
    if not dry_run:
        edit_case(directory, new)
        checkout.publish(problem)
        package = load_problem(directory)
    if output is Format.JSON:
        body = {"problem": package.slug, "revision": package.revision, "case": case_json(checked)}
        print_json(body | {"written": not dry_run})
    else:
        print_case(console(), checked)
        print_written(console(), package, written=not dry_run)


def _changed_words(given: Mapping[str, str | None]) -> dict[str, Any]:
    """Texts to set; an empty one removes a hint or a mark."""
    if given["title"] == "":
        raise WrongUse("The title cannot be empty: students read it.")
    kept = ("title", "description")
    return {key: text if text or key in kept else None for key, text in given.items() if text is not None}


def _refuse_vacuous(case: Case) -> None:
    passing = accepted_for_nothing(case.inputs, case.answer, case.tolerance)
    if passing and case.vacuous is None:
        raise WrongUse(f"{case.name}: {' and '.join(passing)} would be accepted; say with --vacuous why that is right.")


def remove(
    problem: ProblemArgument,
    name: NameArgument,
    *,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    output: FormatOption = Format.TEXT,
) -> None:
    """Remove a case. Says which mistakes no secret case would kill any more, and asks."""
    checkout = check_out(read_settings())
    settings = checkout.settings
    directory = problem_directory(settings, problem)
    package = load_problem(directory)
    case = the_case(package, name)
    with one_judge(settings) as judge:
        surviving = surviving_without(judge.mistakes.learn(package), package.mistakes, case.name)
    if output is Format.TEXT:
        _print_loss(console(), case, surviving)
    if not yes and not typer.confirm("Remove it?", err=True):
        typer.echo("Nothing was removed.", err=True)
        raise typer.Exit(Exit.NOT_MET)
    remove_case(directory, case.name)
    checkout.publish(problem)
    revision = load_problem(directory).revision
    if output is Format.JSON:
        print_json({"problem": package.slug, "revision": revision, "removed": case.name, "surviving": surviving})
    else:
        say(console(), f"Removed; the package is now at revision {revision[:12]}.", "green")


def _print_loss(out: Console, case: Case, surviving: list[str]) -> None:
    if surviving:
        many = len(surviving) > 1
        words = f"these {len(surviving)} mistakes survive" if many else "this mistake survives"
        say(out, f"Without {case.name} {words}: {', '.join(surviving)}.", "yellow")
    else:
        say(out, f"Without {case.name} every mistake is still killed by another secret case.")


def _shown_json(case: Case, *, values: bool) -> dict[str, Any]:
    body = case_json(case) | {
        "description": case.description,
        "vacuous": case.vacuous,
        "ranges": {name: [float(array.min()), float(array.max())] for name, array in _tensors(case).items()},
    }
    if values:
        body["values"] = {name: tensor_json(array) for name, array in _tensors(case).items()}
    return body


def _tensors(case: Case) -> dict[str, np.ndarray[Any, Any]]:
    return {**case.inputs, "answer": case.answer}


def _print_shown(out: Console, case: Case, *, values: bool) -> None:
    print_case(out, case)
    say(out, f"tolerance: rtol {case.tolerance.rtol:.3g}, atol {case.tolerance.atol:.3g}")
    for name, text in (("description", case.description), ("hint", case.hint), ("vacuous", case.vacuous)):
        if text:
            say(out, f"{name}: {text}")
    if case.full_feedback:
        say(out, "full feedback: students see its values")
    for name, array in _tensors(case).items():
        say(out, f"{name}: {array.dtype}, from {array.min():.6g} to {array.max():.6g}")
        if values:
            say(out, np.array2string(array, precision=6, threshold=1000))
