"""`tensorgrade grade FILE`: one submission on the same road as over HTTP, told in the terminal. Trusted side."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from app.checkout import check_out
from app.commands.common import Exit, WrongUse, console, one_judge, print_json, safe_text, seconds
from app.commands.common import the_problem as find_problem
from app.commands.gradescope import results_json
from app.settings import read_settings
from app.store.ids import new_id
from app.views import Revealed, Stamp, for_student
from judge.errors import JudgeError
from judge.report import Verdict

SHOWN_LINES = 20


class GradeFormat(StrEnum):
    """How a report is printed."""

    TEXT = "text"
    JSON = "json"
    GRADESCOPE = "gradescope"


_STYLES = {Verdict.ACCEPTED: "green", Verdict.SKIPPED: "dim", Verdict.JUDGE_ERROR: "magenta"}


def grade(
    file: Annotated[str, typer.Argument(help="The Python file to judge; - reads it from standard input.")],
    problem: Annotated[str | None, typer.Option(help="Slug; may be left out when the bank holds one problem.")] = None,
    output: Annotated[
        GradeFormat, typer.Option("--format", help="How to print: for people, for programs, for Gradescope.")
    ] = GradeFormat.TEXT,
) -> None:
    """Judge a file on every case. Exit status 0 only when it is accepted."""
    checkout = check_out(read_settings())
    settings = checkout.settings
    asked = find_problem(settings, problem)
    source = _source(file, asked.limits.source_kib * 1024)
    submitted_at = datetime.now(UTC)
    with one_judge(settings) as judge:
        report = judge.diagnosed(asked, judge.grade(asked, source))
    stamp = Stamp(new_id(), submitted_at, datetime.now(UTC))
    shown = for_student(report, Revealed.of(asked), stamp)
    status = _status(report.verdict)
    match output:
        case GradeFormat.TEXT:
            print_report(console(), shown)
        case GradeFormat.JSON:
            print_json(shown)
        case GradeFormat.GRADESCOPE if status is not Exit.JUDGE_FAILED:
            print_json(results_json(shown, summary(shown)))
            status = Exit.GOOD  # the score says it; another status would be a broken autograder there
        case GradeFormat.GRADESCOPE:
            # No results: Gradescope then tells the instructor, and no student gets 0 points for our failure.
            raise JudgeError("the judge failed, not the submission; nothing was printed.")
    raise typer.Exit(status)


def _source(file: str, limit: int) -> bytes:
    """The file's bytes; of a file over the limit one byte more than that, which the judge calls too large."""
    try:
        if file == "-":
            return sys.stdin.buffer.read(limit + 1)
        with Path(file).open("rb") as stream:
            return stream.read(limit + 1)
    except OSError as error:
        raise WrongUse(f"{file} cannot be read: {error.strerror}.") from error


def _status(verdict: Verdict | None) -> Exit:
    match verdict:
        case Verdict.ACCEPTED:
            return Exit.GOOD
        case Verdict.JUDGE_ERROR:
            return Exit.JUDGE_FAILED
        case _:
            return Exit.NOT_MET


def print_report(out: Console, report: dict[str, Any]) -> None:
    """The report for a terminal, from what a student may see."""
    if report["cases"]:
        out.print(_table(report["cases"]))
    _print_closer_look(out, report["cases"])
    for error in report["errors"]:
        out.print(safe_text(f"Line {error['line']}, column {error['column']}: {error['message']}", "red"))
    if diagnosis := report["diagnosis"]:
        out.print(safe_text(f"{diagnosis['title']}: {diagnosis['message']}", "yellow"))
    for remark in [*report["remarks"], *report["notes"]]:
        out.print(safe_text(f"Note: {remark}"))
    out.print(safe_text(summary(report), "bold"))


def _print_closer_look(out: Console, cases: list[dict[str, Any]]) -> None:
    """What the first failing shown case printed and where it failed; the others say the same most often."""
    failing = (case for case in cases if case["verdict"] != Verdict.ACCEPTED and "stdout" in case)
    if (first := next(failing, None)) is None:
        return
    for title, text in (("Traceback", first["traceback"]), ("Printed", first["stdout"])):
        if text:
            lines = text.rstrip().splitlines()
            more = [f"... {len(lines) - SHOWN_LINES} more lines"] * (len(lines) > SHOWN_LINES)
            out.print(safe_text(f"{title} in {first['case']}:", "bold"))
            out.print(safe_text("\n".join("  " + line for line in [*lines[:SHOWN_LINES], *more])))


def _table(cases: list[dict[str, Any]]) -> Table:
    table = Table("Case", "Title", "Verdict", "What happened")
    table.add_column("Time", justify="right")
    for case in cases:
        verdict = Verdict(case["verdict"])
        style = _STYLES.get(verdict, "red")
        table.add_row(
            safe_text(case["case"]),
            safe_text(case["title"]),
            safe_text(f"{verdict.code} {words(verdict)}", style),
            safe_text(case["message"]),
            safe_text(seconds(case["time_ms"])),
        )
    return table


def words(name: str) -> str:
    """A verdict's JSON name in words."""
    return name.replace("_", " ")


def summary(report: dict[str, Any]) -> str:
    """One sentence: how many pass, and where it fails first."""
    verdict = Verdict(report["verdict"])
    start = words(verdict).capitalize()
    if not report["cases"]:
        return f"{start}: nothing was run."
    counted = f"{start}: {report['passed']} of {report['total']} cases pass."
    first = next((case for case in report["cases"] if case["verdict"] == verdict), None)
    if verdict is Verdict.ACCEPTED or first is None:
        return counted
    reason = f" ({words(first['reason'])})" if first["reason"] else ""
    return f"{counted} First failure: {first['case']}, {first['title']}{reason}."
