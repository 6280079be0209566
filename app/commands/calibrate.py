"""`tensorgrade calibrate`: are the tolerances between rounding and the nearest mistake? Trusted side."""

from __future__ import annotations

import math
from typing import Annotated, Any

import typer
from rich.table import Table

from app.checkout import check_out
from app.commands.common import (
    Format,
    FormatOption,
    console,
    print_json,
    problem_directory,
    progress,
    safe_text,
    say,
)
from app.judge_settings import judge_options
from app.settings import read_settings
from judge.calibrate import LEAST_DISTANCE, Calibration, calibrate
from judge.grade import Judge
from judge.margins import margin
from judge.verify import LEAST_MARGIN
from problems.package import Problem
from problems.reading import load_problem


def calibrate_package(
    problem: Annotated[str, typer.Argument(help="Slug of the problem.")],
    *,
    seeds: Annotated[int, typer.Option(help="How many copies of each case are tried.", min=1, max=1000)] = 10,
    output: FormatOption = Format.TEXT,
) -> None:
    """Measure the rounding of right programs and the distance to the nearest mistake; propose numbers for each case.

    Changes nothing: tensorgrade case edit writes a number.
    """
    checkout = check_out(read_settings())
    settings = checkout.settings
    package = load_problem(problem_directory(settings, problem))
    with Judge(judge_options(settings)) as judge, progress(package.slug) as watch:
        found = calibrate(judge, package, seeds, watch)
    if output is Format.JSON:
        print_json({"problem": package.slug, "revision": package.revision, "items": [_json(each) for each in found]})
    else:
        _print(package, found)


def _json(each: Calibration) -> dict[str, Any]:
    return {
        "case": each.case.name,
        "rtol": each.case.tolerance.rtol,
        "atol": each.case.tolerance.atol,
        "margin": _finite(margin(each.noise.error)),
        "noisiest": each.noise.program or None,
        "distance": _finite(each.nearest.error) if each.nearest else None,
        "nearest_mistake": each.nearest.program if each.nearest else None,
        "separates": each.separates,
        "proposed": {"rtol": each.proposed.rtol, "atol": each.proposed.atol},
    }


def _finite(value: float) -> float | None:
    return round(value, 3) if math.isfinite(value) else None


def _print(package: Problem, found: list[Calibration]) -> None:
    out = console()
    table = Table("Case", "Margin", "Noisiest program", "Distance", "Nearest mistake", "atol", "Proposed")
    for each in found:
        nearest = each.nearest
        kept = each.proposed == each.case.tolerance
        cells = (
            each.case.name,
            f"{margin(each.noise.error):.1f}",
            each.noise.program,
            f"{nearest.error:.3g}" if nearest else "",
            nearest.program if nearest else "",
            f"{each.case.tolerance.atol:.3g}",
            "keep" if kept else f"{each.proposed.atol:.3g}",
        )
        style = "" if kept else "yellow"
        table.add_row(*(safe_text(cell, style) for cell in cells))
    out.print(table)
    say(out, f"Margin: how many times the largest rounding error fits into the tolerance; at least {LEAST_MARGIN:.0f}.")
    say(out, f"Distance: how many tolerances the nearest mistake is off; at least {LEAST_DISTANCE:.0f} is good.")
    for each in found:
        if not each.separates and each.nearest is not None:
            say(
                out,
                f"{each.case.name}: no tolerance is far from both {each.noise.program} and {each.nearest.program}; "
                "other cases must kill that mistake.",
                "yellow",
            )
        elif each.proposed != each.case.tolerance:
            say(out, f"tensorgrade case edit {package.slug} {each.case.name} --atol {each.proposed.atol:.3g}")
