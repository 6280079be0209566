"""Which mistakes give these outputs? Trusted side; runs on a failed submission only, and costs it a few milliseconds.

A mistake matches when every judged case has the same outcome: passed where the submission passes; else an equal output
within tolerance (NaN = NaN), or the same verdict, reason and type of exception. Skipped cases are ignored. On a partial
match nothing is named: a wrong name sends a student the wrong way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from judge.footprint import Footprints, footprints_of, same
from judge.report import Diagnosis, Report, Verdict
from judge.structure import structural_diagnosis
from problems.package import Case, Mistake, Problem

MAX_NAMED = 3
"""More than this matching at once says too little: it happens where few cases were judged."""


def diagnosis_of(problem: Problem, report: Report, known: Mapping[str, Footprints] | None) -> Diagnosis | None:
    """What went wrong, as far as the outputs tell; None when they do not, and for what is not a failure.

    `known` is what the mistakes of the problem do (see judge.mistakes), None where that is not known yet.
    """
    if report.verdict in (None, Verdict.ACCEPTED, Verdict.COMPILE_ERROR, Verdict.JUDGE_ERROR):
        return None
    if known is None:
        return None
    cases = {case.name: case for case in problem.cases}
    footprints = footprints_of([result for result in report.cases if result.case in cases])
    if all(footprint.kind.verdict is Verdict.ACCEPTED for footprint in footprints.values()):
        return None  # only an input of the student's own failed
    names = matching(footprints, known, cases)
    named = [mistake for mistake in problem.mistakes if mistake.name in names]
    if named:
        return _merged(named) if len(named) <= MAX_NAMED else None
    return structural_diagnosis(report, cases)


def matching(footprints: Footprints, known: Mapping[str, Footprints], cases: Mapping[str, Case]) -> list[str]:
    """The mistakes that did the same on every judged case."""
    largest = {name: float(np.max(np.abs(cases[name].answer))) for name in footprints}
    return [name for name, theirs in known.items() if _matches(footprints, theirs, cases, largest)]


def _matches(
    footprints: Footprints, theirs: Footprints, cases: Mapping[str, Case], largest: Mapping[str, float]
) -> bool:
    shared = [name for name in footprints if name in theirs]
    if not any(footprints[name].kind.verdict is not Verdict.ACCEPTED for name in shared):
        return False  # nothing that failed was judged in both
    # All kinds before any numbers: nearly every mistake is ruled out without touching an array.
    return all(footprints[name].kind == theirs[name].kind for name in shared) and all(
        same(footprints[name], theirs[name], cases[name].tolerance, largest[name]) for name in shared
    )


def _merged(mistakes: Sequence[Mistake]) -> Diagnosis:
    first = mistakes[0]
    if len(mistakes) == 1:
        return Diagnosis(first.name, first.title, first.message, first.pitfall)
    said = " ".join(f"{mistake.title}: {mistake.message}" for mistake in mistakes)
    return Diagnosis(
        ", ".join(mistake.name for mistake in mistakes),
        " or: ".join(mistake.title for mistake in mistakes),
        f"These cases cannot tell which of {len(mistakes)} known mistakes it is. {said}",
        first.pitfall,
    )
