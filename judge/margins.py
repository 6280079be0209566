"""How far an output is from the answer, in units of the tolerance. Trusted side."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from judge.report import CaseResult, Report, Verdict
from problems.package import Case, Float64Array, Problem, Tolerance


@dataclass(frozen=True, slots=True)
class Reach:
    """A program and how far its output is from the answer."""

    program: str
    error: float
    """In tolerances."""


def error_in_tolerances(output: NDArray[Any], answer: Float64Array, tolerance: Tolerance) -> float:
    """The largest error as a multiple of what is allowed there: up to 1 is accepted. Infinite for NaN and infinity."""
    with np.errstate(invalid="ignore", over="ignore", divide="ignore"):
        error = np.abs(output.astype(np.float64) - answer)
        allowed = tolerance.atol + tolerance.rtol * np.abs(answer)
        ratio = np.where(error == 0, 0.0, error / allowed)
    largest = float(ratio.max(initial=0.0))
    return largest if math.isfinite(largest) else math.inf


def error_of(result: CaseResult, case: Case) -> float | None:
    """The error of a float32 result of the right shape; None where there is none to measure."""
    output = result.output
    if output is None or result.output_from_sequence or result.output_dtype != "float32":
        return None
    return error_in_tolerances(output, case.answer, case.tolerance) if output.shape == case.answer.shape else None


def largest_error(problem: Problem, report: Report) -> tuple[float, str]:
    """The largest error of an accepted program, and on which case."""
    errors = [
        (error_of(result, problem.case(result.case)) or 0.0, result.case)
        for result in report.cases
        if result.verdict is Verdict.ACCEPTED
    ]
    return max(errors, default=(0.0, ""))


def margin(error: float) -> float:
    """How many times an error fits into the tolerance; infinite for no error at all."""
    return 1.0 / error if error > 0 else math.inf
