"""Do the cases notice small changes to right programs? Trusted side.

accepted program ─► mutants ─► judged, each up to the first case that kills it
                                 └─ survivors ─► 200 random float64 inputs of all ranks: equivalent, or a finding
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from judge import reference
from judge.errors import JudgeError
from judge.mutate import Mutant, mutants_of
from judge.plan import plan_in_float64
from judge.report import CaseResult, Verdict
from problems.package import Float32Array, Float64Array, Problem, Program
from problems.shapes import sample_sizes, shapes_for

if TYPE_CHECKING:
    from judge.grade import Judge
    from judge.verify import Watch

LEAST_KILLED = 0.98
"""Share of the mutants that are not equivalent."""
SAMPLES = 200
SAMENESS = 1e-9
"""Relative to the largest element: float64 spellings of one formula differ by 1e-15."""
LEAST_TIME_S = 0.2
SLOWER = 10.0
"""A mutant may take this many times as long as its original: more is a loop without end."""
_SCALES = (0.1, 1.0, 3.0, 30.0)
_RANKS = (0, 1, 2, 3)
"""Leading dimensions, where the shapes allow any."""
_SEED = 20170612

Values = list[Float64Array | None]


@dataclass(frozen=True, slots=True)
class Mutation:
    """What became of the mutants of a package."""

    killed: int
    equivalent: tuple[Mutant, ...]
    """They return the same on every sampled input."""
    survivors: tuple[Mutant, ...]
    not_changed: tuple[str, ...]
    """Accepted programs that do not stay in float64, so that nobody could tell which changes are none."""

    @property
    def share(self) -> float:
        """Killed among those that are not equivalent; 1 when there are none."""
        different = self.killed + len(self.survivors)
        return self.killed / different if different else 1.0

    @property
    def holds(self) -> bool:
        return self.share >= LEAST_KILLED


class _Killed(Exception):
    """A case has noticed: the rest need not run."""


def try_mutants(judge: Judge, problem: Problem, watch: Watch = lambda *_: None) -> Mutation:
    """Judge every mutant of every accepted program. JudgeError when the judge fails."""
    plan = plan_in_float64(problem, inputs := sampled_inputs(problem), [{}] * len(inputs))
    originals = {
        program.name: reference.values_in_float64(judge, problem, program.source, plan) for program in problem.accepted
    }
    steady = [program for program in problem.accepted if _is_steady(originals[program.name])]
    with ThreadPoolExecutor(judge.options.at_once) as threads:
        limits = dict(
            zip(steady, threads.map(lambda program: _time_limit(judge, problem, program), steady), strict=True)
        )
        work = [(mutant, limits[program]) for program in steady for mutant in mutants_of(program.name, program.source)]
        survivors: list[Mutant] = []
        for done, (mutant, lives) in enumerate(threads.map(lambda one: _lives(judge, *one), work), start=1):
            survivors += [mutant] * lives
            watch("mutants", done, len(work))

        def is_equivalent(mutant: Mutant) -> bool:
            values = reference.values_in_float64(judge, problem, mutant.source, plan)
            return _same(values, originals[mutant.program])

        same = dict(zip(survivors, threads.map(is_equivalent, survivors), strict=True))
    return Mutation(
        killed=len(work) - len(survivors),
        equivalent=tuple(mutant for mutant in survivors if same[mutant]),
        survivors=tuple(mutant for mutant in survivors if not same[mutant]),
        not_changed=tuple(program.name for program in problem.accepted if program not in steady),
    )


def sampled_inputs(problem: Problem) -> list[dict[str, Float32Array]]:
    """Inputs of all ranks, sizes from 1 and several magnitudes; the same on every machine."""
    rng = np.random.default_rng(_SEED)
    symbols = {parameter.name: parameter.shape for parameter in problem.entry_point.parameters}
    inputs = []
    for number in range(SAMPLES):
        sizes = sample_sizes(symbols, rng, least=1, most=6, leading=_RANKS[number % len(_RANKS)])
        scale = _SCALES[number // len(_RANKS) % len(_SCALES)]
        shapes = shapes_for(symbols, sizes)
        inputs.append({name: (scale * rng.standard_normal(shape)).astype(np.float32) for name, shape in shapes.items()})
    return inputs


def _is_steady(values: Values) -> bool:
    return all(value is not None and np.isfinite(value).all() for value in values)


def _limited(problem: Problem, time_s: float) -> Problem:
    """The same problem at the same revision with another time limit a case."""
    return replace(problem, limits=replace(problem.limits, time_s=min(time_s, problem.limits.time_s)))


def _time_limit(judge: Judge, problem: Problem, program: Program) -> Problem:
    report = judge.grade_bare(problem, program.source)
    slowest_s = max((case.time_ms for case in report.cases), default=0.0) / 1000
    return _limited(problem, max(LEAST_TIME_S, SLOWER * slowest_s))


def _lives(judge: Judge, mutant: Mutant, problem: Problem) -> tuple[Mutant, bool]:
    def stop(result: CaseResult) -> None:
        if result.verdict is not Verdict.ACCEPTED:
            raise _Killed

    try:
        report = judge.grade_bare(problem, mutant.source, stop)
    except _Killed:
        return mutant, False
    if report.verdict is Verdict.JUDGE_ERROR:
        raise JudgeError(f"the judge failed on a mutant of {mutant.program}")
    return mutant, report.verdict is Verdict.ACCEPTED


def _same(values: Values, originals: Values) -> bool:
    return all(_close(value, original) for value, original in zip(values, originals, strict=True))


def _close(value: Float64Array | None, original: Float64Array | None) -> bool:
    if value is None or original is None or value.shape != original.shape:
        return value is None and original is None
    bound = SAMENESS * max(1.0, float(np.max(np.abs(original))))
    return bool((np.abs(value - original) <= bound).all())
