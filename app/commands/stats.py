"""`tensorgrade stats PROBLEM`: how a problem goes, case by case. Trusted side; reads beside a running server."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer
from rich.table import Table

from app.checkout import check_out
from app.commands.common import Format, FormatOption, console, print_json, problem_directory, safe_text, say
from app.commands.export import existing_store
from app.settings import read_settings
from app.store import summaries
from app.store.summaries import Statistics
from problems.package import Problem
from problems.reading import load_problem


def stats(
    problem: Annotated[str, typer.Argument(help="Slug of the problem.")], output: FormatOption = Format.TEXT
) -> None:
    """Show how many pass each case, and which mistakes are made most."""
    checkout = check_out(read_settings())
    settings = checkout.settings
    package = load_problem(problem_directory(settings, problem))
    with existing_store(settings) as store:
        found = store.read(lambda connection: summaries.statistics(connection, problem))
    if output is Format.JSON:
        print_json({"problem": problem, **asdict(found)})
    else:
        _print(package, found)


def _print(package: Problem, found: Statistics) -> None:
    out = console()
    say(out, f"{found.submissions} submissions of {found.students} students; {found.solved} of them solved it.", "bold")
    if not found.submissions:
        return
    titles = {case.name: case.title for case in package.cases}
    cases = Table("Case", "Title")
    for column in ("Passed", "Judged", "Rate"):
        cases.add_column(column, justify="right")
    for case in found.cases:
        # A skipped one was not tried: the submission had used up its time before.
        tried = case.judged - case.skipped
        cells = (case.case, titles.get(case.case, "(no longer there)"), case.passed, tried, _rate(case.passed, tried))
        cases.add_row(*(safe_text(cell) for cell in cells))
    out.print(cases)
    mistakes = {mistake.name: mistake.title for mistake in package.mistakes}
    counted = Table("Most common mistakes", "Title", "Submissions", "Students")
    for count in found.mistakes:
        line = (count.name, mistakes.get(count.name, ""), count.submissions, count.students)
        counted.add_row(*(safe_text(cell) for cell in line))
    if found.mistakes:
        out.print(counted)
    verdicts = ", ".join(f"{count.name} {count.submissions}" for count in found.verdicts)
    say(out, f"Verdicts: {verdicts}.")


def _rate(passed: int, tried: int) -> str:
    return f"{100 * passed / tried:.0f} %" if tried else "-"
