"""How a case and what it does are told: JSON for programs, words for people. Trusted side."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from rich.console import Console

from app.commands.common import Format, console, print_json, say
from judge.acceptance import Acceptance
from judge.margins import Reach, margin
from judge.verify import LEAST_MARGIN
from problems.package import Case, Problem

_SHOWN_NAMES = 6
"""More mistakes than this are counted and not named."""


def case_json(case: Case) -> dict[str, Any]:
    """What a case is, without values."""
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


def acceptance_json(package: Problem, found: Acceptance, *, written: bool) -> dict[str, Any]:
    """What `case add` and `case edit` found out. `package` is at its new revision when it was written."""
    return {
        "problem": package.slug,
        "revision": package.revision,
        "case": case_json(found.case),
        "accepted_programs": len(package.accepted),
        "against": [{"program": one.program, "verdict": one.verdict, "message": one.message} for one in found.against],
        "vacuous": list(found.vacuous),
        "noise": _reach_json(found.noise),
        "raised_from_atol": found.raised_from and found.raised_from.atol,
        "kills": list(found.kills),
        "kills_newly": list(found.kills_newly),
        "passes": list(found.passes),
        "nearest_mistake": found.nearest and _reach_json(found.nearest),
        "written": written,
    }


def _reach_json(reach: Reach) -> dict[str, Any]:
    """An error in tolerances; null for one that is not finite."""
    return {"program": reach.program, "error": reach.error if math.isfinite(reach.error) else None}


def tell(package: Problem, found: Acceptance, output: Format, *, written: bool) -> None:
    """Print what was found out about a case."""
    if output is Format.JSON:
        print_json(acceptance_json(package, found, written=written))
    else:
        print_acceptance(console(), package, found, written=written)


def print_acceptance(out: Console, package: Problem, found: Acceptance, *, written: bool) -> None:
    """What `case add` and `case edit` say."""
    print_case(out, found.case)
    for one in found.against:
        say(out, f"{one.program} does not agree: {one.message}", "red")
    agreed = len(package.accepted) - len(found.against)
    say(out, f"{agreed} of {len(package.accepted)} accepted programs agree.")
    if found.refusal is not None:
        if not found.against:
            say(out, found.refusal, "red")
        print_written(out, package, written=False)
        return
    _print_tolerance(out, found)
    _print_kills(out, found)
    print_written(out, package, written=written)


def print_written(out: Console, package: Problem, *, written: bool) -> None:
    """Whether the package is another one now."""
    if written:
        say(out, f"Written; the package is now at revision {package.revision[:12]}.", "green")
    else:
        say(out, "Nothing was written.")


def print_case(out: Console, case: Case) -> None:
    """Its name, title and sizes."""
    say(out, f"{case.name}: {case.title}", "bold")
    shapes = ", ".join(f"{name} {tuple(array.shape)}" for name, array in case.inputs.items())
    seed = f", seed {case.seed}" if case.seed is not None else ""
    layout = "".join(f", {name} {kind}" for name, kind in case.layout.items())
    say(out, f"inputs: {shapes}{seed}{layout}")
    largest = float(np.max(np.abs(case.answer)))
    say(out, f"answer: {tuple(case.answer.shape)}, the largest element is {largest:.4g}")


def _print_tolerance(out: Console, found: Acceptance) -> None:
    case = found.case
    raised = f", raised from {found.raised_from.atol:.3g}" if found.raised_from else ""
    say(out, f"tolerance: rtol {case.tolerance.rtol:.3g}, atol {case.tolerance.atol:.3g}{raised}")
    left = margin(found.noise.error)
    if math.isfinite(left):
        words = f"{left:.1f} times the largest rounding error, which {found.noise.program} has"
        say(out, f"  {words}")
    if left < LEAST_MARGIN:
        words = f"  that is less than {LEAST_MARGIN:.0f}: on another processor a right program may fail; see calibrate"
        say(out, words, "yellow")
    if found.nearest is not None:
        error = found.nearest.error
        words = f"{error:.3g} tolerances off" if math.isfinite(error) else "not finite"
        say(out, f"  the nearest mistake that it kills is {found.nearest.program}: {words}")


def _print_kills(out: Console, found: Acceptance) -> None:
    total = len(found.kills) + len(found.passes)
    say(out, f"kills {len(found.kills)} of {total} mistakes{_not_noticed(found.passes)}")
    newly = ", ".join(found.kills_newly) or "none; each is killed by another secret case already"
    say(out, f"kills newly: {newly}")


def _not_noticed(names: tuple[str, ...]) -> str:
    if not names:
        return ""
    more = f" and {len(names) - _SHOWN_NAMES} more" if len(names) > _SHOWN_NAMES else ""
    return f"; not {', '.join(names[:_SHOWN_NAMES])}{more}"
