"""Is a case's tolerance where it should be: above rounding, below the nearest mistake? Trusted side.

Rounding is measured on copies of the inputs that differ by about one per cent: sizes, magnitudes and what makes a case
special stay, and every sum is rounded anew. Each copy's answer comes from the reference in float64.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from judge import reference
from judge.errors import JudgeError
from judge.footprint import Footprints, thinned
from judge.margins import Reach, error_in_tolerances, error_of
from judge.report import Reason, Report, Verdict
from judge.verify import LEAST_MARGIN
from problems.package import Case, Float32Array, Float64Array, Problem, Tolerance

if TYPE_CHECKING:
    from judge.grade import Judge
    from judge.verify import Watch

LEAST_DISTANCE = 2.0
"""How many tolerances the nearest mistake should be off."""
JITTER = 0.01
_TOTAL_TIME_S = 600.0
"""All copies of all cases run as one submission."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """One case: its tolerance, and what is below and above it."""

    case: Case
    noise: Reach
    """The right program with the largest error over all copies, in tolerances."""
    nearest: Reach | None
    """The mistake with the smallest error among those that fail by their values; None where there is none."""
    proposed: Tolerance

    @property
    def separates(self) -> bool:
        """Whether some tolerance is far enough from both."""
        return self.nearest is None or LEAST_MARGIN * self.noise.error <= self.nearest.error / LEAST_DISTANCE


def calibrate(judge: Judge, problem: Problem, seeds: int, watch: Watch = lambda *_: None) -> list[Calibration]:
    """Measure every case with this many copies. JudgeError when the judge fails, PackageError for the reference."""
    copies = _copies(judge, problem, seeds)
    known = judge.mistakes.learn(problem)
    flat = [copy for each in copies.values() for copy in each]
    patient = replace(problem, limits=replace(problem.limits, total_time_s=_TOTAL_TIME_S))
    reports: dict[str, Report] = {}
    with ThreadPoolExecutor(judge.options.at_once) as threads:
        found = threads.map(lambda program: judge.grade(patient, program.source, cases=flat), problem.accepted)
        for program, report in zip(problem.accepted, found, strict=True):
            if report.verdict is Verdict.JUDGE_ERROR:
                raise JudgeError(f"the judge failed on {program.name}")
            reports[program.name] = report
            watch("programs", len(reports), len(problem.accepted))
    errors = _errors(reports, flat)
    return [_calibration(case, _largest(errors, copies[case.name]), known) for case in problem.cases]


def _copies(judge: Judge, problem: Problem, seeds: int) -> dict[str, list[Case]]:
    """For each case: itself, and its copies with their own answers."""
    drawn = [(case, _jittered(case, seed)) for case in problem.cases for seed in range(1, seeds + 1)]
    answers = reference.answers(judge, problem, [inputs for _, inputs in drawn], [case.layout for case, _ in drawn])
    copies = {case.name: [_named(case, 0, case.inputs, case.answer)] for case in problem.cases}
    for (case, inputs), answer in zip(drawn, answers, strict=True):
        copies[case.name].append(_named(case, len(copies[case.name]), inputs, answer))
    return copies


def _jittered(case: Case, seed: int) -> dict[str, Float32Array]:
    rng = np.random.default_rng(seed)
    return {
        name: (array * (1 + JITTER * rng.standard_normal(array.shape))).astype(np.float32)
        for name, array in case.inputs.items()
    }


def _named(case: Case, number: int, inputs: Mapping[str, Float32Array], answer: Float64Array) -> Case:
    """A secret case of its own, with the tolerance in proportion to its answer."""
    largest = float(np.max(np.abs(case.answer)))
    scale = float(np.max(np.abs(answer))) / largest if largest > 0 else 1.0
    digest = hashlib.sha256(b"".join(array.tobytes() for array in inputs.values())).hexdigest()
    return replace(
        case,
        name=f"secret/{case.name.replace('/', '-')}-copy-{number}",
        inputs=inputs,
        answer=answer,
        tolerance=Tolerance(case.tolerance.rtol, case.tolerance.atol * scale),
        digest=digest,
        full_feedback=False,
    )


def _errors(reports: Mapping[str, Report], cases: Sequence[Case]) -> dict[str, Reach]:
    """For each copy, the right program with the largest error."""
    by_name = {case.name: case for case in cases}
    worst: dict[str, Reach] = {name: Reach("", 0.0) for name in by_name}
    for program, report in reports.items():
        for result in report.cases:
            error = error_of(result, by_name[result.case])
            error = math.inf if error is None else error
            if error > worst[result.case].error:
                worst[result.case] = Reach(program, error)
    return worst


def _largest(errors: Mapping[str, Reach], copies: Sequence[Case]) -> Reach:
    return max((errors[copy.name] for copy in copies), key=lambda reach: reach.error)


def _calibration(case: Case, noise: Reach, known: Mapping[str, Footprints]) -> Calibration:
    nearest = _nearest(case, known)
    least = LEAST_MARGIN * noise.error
    most = nearest.error / LEAST_DISTANCE if nearest else math.inf
    factor = max(least, min(1.0, most))
    if not math.isfinite(factor) or least <= 1.0 <= most:
        return Calibration(case, noise, nearest, case.tolerance)
    proposed = Tolerance(case.tolerance.rtol, float(f"{case.tolerance.atol * factor:.1e}"))
    return Calibration(case, noise, nearest, proposed)


def _nearest(case: Case, known: Mapping[str, Footprints]) -> Reach | None:
    answer = thinned(case.answer)
    errors = []
    for name, footprints in known.items():
        footprint = footprints.get(case.name)
        if footprint is None or footprint.values is None or footprint.kind.reason is not Reason.VALUES_DIFFER:
            continue
        errors.append((error_in_tolerances(footprint.values, answer, case.tolerance), name))
    return Reach(min(errors)[1], min(errors)[0]) if errors else None
