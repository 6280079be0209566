"""`tensorgrade verify`: does every package keep its promises? Trusted side. Runs in CI for every shipped package."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from app.bank import open_bank
from app.checkout import check_out
from app.commands.common import (
    Exit,
    Format,
    FormatOption,
    brief_revision,
    console,
    print_json,
    problem_directory,
    progress,
    safe_text,
    say,
    seconds,
)
from app.commands.verify_mutants import mutants_json, print_mutants
from app.judge_settings import judge_options
from app.settings import Settings, read_settings
from judge.grade import Judge
from judge.margins import margin
from judge.mutants import try_mutants
from judge.report import Verdict
from judge.verification import Finding, Judged, Level, Promise, Verification
from judge.verify import verify
from problems.package import Problem
from problems.reading import load_problem

_STYLES = {Level.ERROR: "red", Level.WARNING: "yellow"}
_KILLED, _PASSED, _NOT_RUN = "x", "·", " "


def verify_packages(
    problem: Annotated[str | None, typer.Argument(help="Slug; without it every problem of the bank.")] = None,
    *,
    mutants: Annotated[
        bool, typer.Option("--mutants", help="Also change the accepted programs a little; the cases must notice.")
    ] = False,
    output: FormatOption = Format.TEXT,
) -> None:
    """Check that packages keep their promises. Exit status 0 only when all hold."""
    checkout = check_out(read_settings())
    settings = checkout.settings
    packages = _packages(settings, problem)
    results: list[dict[str, Any]] = []
    with Judge(judge_options(settings)) as judge:
        for package in packages:
            with progress(package.slug) as watch:
                found = verify(judge, package, watch)
                tried = try_mutants(judge, package, watch) if mutants and found.programs else None
            results.append(_json(found) | ({"mutants": mutants_json(tried)} if tried else {}))
            if output is Format.TEXT:
                _print(console(), package, found)
                if tried:
                    print_mutants(console(), tried)
            results[-1]["holds"] = found.holds and (tried is None or tried.holds)
    holds = all(result["holds"] for result in results)
    if output is Format.JSON:
        print_json({"holds": holds, "items": results})
    raise typer.Exit(Exit.GOOD if holds else Exit.NOT_MET)


def _packages(settings: Settings, slug: str | None) -> list[Problem]:
    if slug is not None:
        return [load_problem(problem_directory(settings, slug))]
    open_bank(settings)
    bank = open_bank(settings)
    slugs = sorted({*bank.problems(), *bank.trouble()})
    return [load_problem(problem_directory(settings, slug)) for slug in slugs]


def _json(found: Verification) -> dict[str, Any]:
    return {
        "problem": found.problem,
        "revision": found.revision,
        "promises": {promise: _holds(found, promise) for promise in Promise},
        "findings": [
            {"promise": finding.promise, "level": finding.level, "message": finding.sentence}
            for finding in found.findings
        ],
        "programs": [_program_json(judged) for judged in found.programs],
        "kills": {
            judged.program: [case for case in found.cases if judged.fails(case)]
            for judged in found.programs
            if not judged.is_right
        },
        "vacuous": {case: list(names) for case, names in found.vacuous.items() if names},
    }


def _program_json(judged: Judged) -> dict[str, Any]:
    return {
        "program": judged.program,
        "expected": judged.expected,
        "expected_reason": judged.expected_reason,
        "verdict": judged.verdict,
        "reason": judged.reason,
        "passed": judged.passed,
        "total": judged.total,
        "slowest_ms": round(judged.slowest_ms, 3),
        "margin": round(1 / judged.error, 2) if judged.error > 0 else None,
        "worst_case": judged.worst_case or None,
    }


def _holds(found: Verification, promise: Promise) -> bool:
    return not any(each.promise is promise and each.level is Level.ERROR for each in found.findings)


# ---------------------------------------------------------------- for people
def _print(out: Console, package: Problem, found: Verification) -> None:
    say(out, f"{found.problem} at revision {brief_revision(package)}", "bold")
    if found.programs:
        out.print(_programs(found))
        out.print(_kill_matrix(found))
        _print_vacuity(out, package, found)
        _print_margins(out, found)
    for finding in found.findings:
        _print_finding(out, finding)
    for promise in Promise:
        holds = _holds(found, promise)
        say(out, f"{promise}: {'holds' if holds else 'does not hold'}", "green" if holds else "red")


def _print_finding(out: Console, finding: Finding) -> None:
    say(out, f"{finding.level} ({finding.promise}): {finding.sentence}", _STYLES[finding.level])


def _programs(found: Verification) -> Table:
    table = Table("Program", "Must be", "Is", title="Programs and verdicts")
    for name in ("Cases", "Slowest", "Margin"):
        table.add_column(name, justify="right")
    for judged in found.programs:
        style = "" if judged.is_as_expected else "red"
        left = f"{margin(judged.error):.0f}" if judged.is_right and judged.error > 0 else ""
        cells = (
            judged.program,
            _verdict(judged.expected, judged.expected_reason),
            _verdict(judged.verdict, judged.reason),
            f"{judged.passed}/{judged.total}",
            seconds(judged.slowest_ms),
            left,
        )
        table.add_row(*(safe_text(cell, style) for cell in cells))
    return table


def _verdict(verdict: Verdict | None, reason: str | None) -> str:
    return f"{verdict.code if verdict else '-'} {reason or ''}".strip()


def _kill_matrix(found: Verification) -> Table:
    """Cases across, mistakes down. A number stands for a case; s is a sample."""
    table = Table("Mistake", *(_short(case) for case in found.cases), "Kills", title="Kill matrix", padding=(0, 0))
    for judged in found.programs:
        if judged.is_right:
            continue
        marks = [_mark(judged, case) for case in found.cases]
        secret = sum(judged.fails(case) for case in found.cases if not case.startswith("sample/"))
        name = judged.program + (" compile error" if judged.verdict is Verdict.COMPILE_ERROR else "")
        table.add_row(*(safe_text(cell) for cell in (name, *marks, secret)))
    return table


def _short(case: str) -> str:
    group, _, stem = case.partition("/")
    number = stem.partition("-")[0]
    return f"{'s' if group == 'sample' else ''}{number if number.isdigit() else stem[:4]} "


def _mark(judged: Judged, case: str) -> str:
    if judged.fails(case):
        return _KILLED
    return _PASSED if judged.by_case.get(case) is Verdict.ACCEPTED else _NOT_RUN


def _print_vacuity(out: Console, package: Problem, found: Verification) -> None:
    marked = [case for case in package.cases if found.vacuous[case.name]]
    if not marked:
        out.print("Vacuity: nothing that computes nothing passes a case.")
        return
    table = Table("Case", "Accepts", "Why that is right", title="Vacuity")
    for case in marked:
        cells = (case.name, ", ".join(found.vacuous[case.name]), case.vacuous or "-")
        table.add_row(*(safe_text(cell) for cell in cells))
    out.print(table)


def _print_margins(out: Console, found: Verification) -> None:
    right = [judged for judged in found.programs if judged.is_right and judged.error > 0]
    if right:
        least = max(right, key=lambda judged: judged.error)
        words = f"{margin(least.error):.1f} of {least.program} on {least.worst_case}"
        say(out, f"Margins: the smallest is {words}.")
