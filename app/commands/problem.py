"""`tensorgrade problem list` and `problem show`. Trusted side."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

import typer
from rich.table import Table

from app.bank import open_bank
from app.catalogue import summary_json
from app.checkout import check_out
from app.commands.common import (
    Exit,
    Format,
    FormatOption,
    brief_revision,
    console,
    print_json,
    problem_directory,
    safe_text,
    say,
)
from app.settings import read_settings
from problems.package import Problem
from problems.reading import load_problem


def list_problems(output: FormatOption = Format.TEXT) -> None:
    """List the problems of the bank. Exit status 1 when a package cannot be read."""
    checkout = check_out(read_settings())
    bank = open_bank(checkout.settings)
    rows = [summary_json(problem) for _, problem in sorted(bank.problems().items())]
    trouble = bank.trouble()
    if output is Format.JSON:
        print_json({"items": rows, "trouble": trouble})
    else:
        table = Table("Problem", "Title", "Difficulty", "Cases", "Revision")
        for row in rows:
            cells = (row["slug"], row["title"], row["difficulty"], row["cases"], brief_revision(row))
            table.add_row(*(safe_text(cell) for cell in cells))
        console().print(table)
        for slug, sentence in trouble.items():
            console().print(safe_text(f"{slug}: {sentence}", "red"))
    raise typer.Exit(Exit.NOT_MET if trouble else Exit.GOOD)


def show(slug: Annotated[str, typer.Argument(help="Slug of the problem.")], output: FormatOption = Format.TEXT) -> None:
    """Show a problem: function, shapes, limits, tolerance, policy, and what the package holds."""
    checkout = check_out(read_settings())
    package = load_problem(problem_directory(checkout.settings, slug))
    body = _json(package)
    if output is Format.JSON:
        print_json(body)
        return
    out = console()
    say(out, f"{package.slug}: {package.name} ({package.difficulty})", "bold")
    arguments = ", ".join(f"{each['name']}: {each['type']}" for each in body["parameters"])
    say(out, f"{package.entry_point.function}({arguments}) -> {body['result']}")
    limits = body["limits"]
    say(out, f"limits: {limits['time_s']:g} s a case, {limits['total_time_s']:g} s in all, {limits['memory_mib']} MiB")
    rule = body["tolerance"]
    say(out, f"tolerance: rtol {rule['rtol']:g}, atol {rule['atol_per_max']:g} times the largest element of the answer")
    for forbidden in package.policy.forbid:
        say(out, f"forbidden: {forbidden.name}: {forbidden.message}")
    counts = (
        f"{body['samples']} samples",
        f"{body['secret_cases']} secret cases",
        f"{len(package.accepted)} accepted programs",
        f"{len(package.mistakes)} known mistakes",
    )
    say(out, f"{', '.join(counts)}; revision {brief_revision(package)}")


def _json(package: Problem) -> dict[str, Any]:
    samples = len(package.samples)
    return {
        "problem": package.slug,
        "revision": package.revision,
        "title": package.name,
        "difficulty": package.difficulty,
        "function": package.entry_point.function,
        "parameters": [
            {"name": parameter.name, "type": f"{parameter.dtype}[{parameter.shape}]"}
            for parameter in package.entry_point.parameters
        ],
        "result": f"{package.entry_point.result_dtype}[{package.entry_point.result_shape}]",
        "limits": asdict(package.limits),
        "tolerance": asdict(package.tolerance),
        "forbidden": [forbidden.name for forbidden in package.policy.forbid],
        "samples": samples,
        "secret_cases": len(package.cases) - samples,
        "accepted": [program.name for program in package.accepted],
        "mistakes": [mistake.name for mistake in package.mistakes],
    }
