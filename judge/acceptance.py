"""Is a new case worth having? Right programs agree, wrong ones fail, and nothing passes for nothing. Trusted side.

case ─► every accepted program on it ─► tolerance ─► every mistake on the package with the case in it
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from judge.errors import JudgeError
from judge.footprint import Footprints, footprints_of
from judge.margins import Reach, error_of, margin
from judge.report import Report, Verdict
from judge.vacuity import accepted_for_nothing
from judge.verify import LEAST_MARGIN
from problems.package import Case, Mistake, Problem, Tolerance

if TYPE_CHECKING:
    from judge.grade import Judge

_LOOPING = frozenset(
    {Verdict.TIME_LIMIT_EXCEEDED, Verdict.MEMORY_LIMIT_EXCEEDED, Verdict.OUTPUT_LIMIT_EXCEEDED, Verdict.COMPILE_ERROR}
)
"""Mistakes that must get one of these count by it and are not run: an author should not wait for a loop to end."""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """An accepted program that does not give the answer of the new case."""

    program: str
    verdict: Verdict | None
    message: str


@dataclass(frozen=True, slots=True)
class Acceptance:
    """What a new case does."""

    case: Case
    """With the tolerance that is proposed."""
    against: tuple[Disagreement, ...]
    vacuous: tuple[str, ...]
    """What passes it though it computes nothing."""
    noise: Reach
    """The accepted program with the largest error, in the proposed tolerance."""
    raised_from: Tolerance | None = None
    """The tolerance of the package's rule, where its margin was too small."""
    kills: tuple[str, ...] = ()
    kills_newly: tuple[str, ...] = ()
    """Mistakes that no secret case has killed so far."""
    passes: tuple[str, ...] = ()
    """Mistakes that this case does not notice."""
    nearest: Reach | None = None
    """The mistake with the smallest error among those that fail by their values."""
    known: Mapping[str, Footprints] | None = None
    """What every mistake does on all cases, this one included; None where some were not run."""

    @property
    def refusal(self) -> str | None:
        """Why the case is not taken, in one sentence; None when it is."""
        name = self.case.name
        if self.against:
            first = self.against[0]
            more = f" and {len(self.against) - 1} more do" if len(self.against) > 1 else " does"
            return f"{name}: {first.program}{more} not agree with the answer: {first.message}"
        if self.vacuous and self.case.vacuous is None:
            what = " and ".join(self.vacuous)
            return f"{name}: {what} would be accepted; choose other inputs, or say with --vacuous why that is right."
        return None


def accept(judge: Judge, problem: Problem, case: Case, *, fixed_tolerance: bool = False) -> Acceptance:
    """Try a case that is not in the package, or not with this tolerance or layout. JudgeError when the judge fails.

    The tolerance is raised where right programs come closer to it than LEAST_MARGIN, unless it is fixed.
    """
    with ThreadPoolExecutor(judge.options.at_once) as threads:
        reports = dict(
            zip(
                (program.name for program in problem.accepted),
                threads.map(lambda program: judge.grade(problem, program.source, cases=[case]), problem.accepted),
                strict=True,
            )
        )
    _require_judged(reports)
    noise = _noise(case, reports)
    vacuous = tuple(accepted_for_nothing(case.inputs, case.answer, case.tolerance))
    result = Acceptance(case, tuple(_disagreements(reports)), vacuous, noise)
    if result.refusal is not None:
        return result
    if margin(noise.error) < LEAST_MARGIN and not fixed_tolerance:
        factor = LEAST_MARGIN * noise.error
        wider = Tolerance(case.tolerance.rtol, _rounded_up(case.tolerance.atol * factor))
        wide = replace(case, tolerance=wider)
        result = replace(result, case=wide, noise=_noise(wide, reports), raised_from=case.tolerance)
    return _with_kills(judge, problem, result)


def _require_judged(reports: Mapping[str, Report]) -> None:
    for name, report in reports.items():
        if report.verdict is Verdict.JUDGE_ERROR:
            raise JudgeError(f"the judge failed on {name}")


def _disagreements(reports: Mapping[str, Report]) -> list[Disagreement]:
    against = []
    for name, report in reports.items():
        if report.verdict is not Verdict.ACCEPTED:
            said = [case.message or case.brief for case in report.cases] or [each.message for each in report.errors]
            against.append(Disagreement(name, report.verdict, " ".join(said)))
    return against


def _noise(case: Case, reports: Mapping[str, Report]) -> Reach:
    errors = [(error_of(report.cases[0], case) or 0.0, name) for name, report in reports.items() if report.cases]
    error, name = max(errors, default=(0.0, ""))
    return Reach(name, error)


def _rounded_up(value: float) -> float:
    """To two digits."""
    unit = 10.0 ** (math.floor(math.log10(value)) - 1)
    return float(f"{math.ceil(value / unit) * unit:.1e}")


def _with_kills(judge: Judge, problem: Problem, result: Acceptance) -> Acceptance:
    case = result.case
    together = with_case(problem, case)
    running = [mistake for mistake in problem.mistakes if Verdict(mistake.verdict) not in _LOOPING]
    with ThreadPoolExecutor(judge.options.at_once) as threads:
        found = threads.map(lambda mistake: judge.grade_bare(together, mistake.source), running)
        reports = dict(zip((mistake.name for mistake in running), found, strict=True))
    _require_judged(reports)
    looping = [mistake for mistake in problem.mistakes if mistake.name not in reports]
    known = {name: footprints_of(report.cases) for name, report in reports.items()}
    by_case = {name: _failing(footprints) for name, footprints in known.items()}
    kills = [name for name, failing in by_case.items() if case.name in failing]
    errors = [(error, name) for name in kills if (error := _error_on(reports[name], case)) is not None and error > 1.0]
    return replace(
        result,
        kills=(*kills, *(mistake.name for mistake in looping)),
        kills_newly=tuple(name for name in kills if not secret_failures(by_case[name]) - {case.name}),
        passes=tuple(name for name in by_case if name not in kills),
        nearest=Reach(min(errors)[1], min(errors)[0]) if errors else None,
        known=None if looping else known,
    )


def with_case(problem: Problem, case: Case) -> Problem:
    """The problem with this case added, or in place of the one of its name. Its revision is nobody's."""
    others = [each for each in problem.cases if each.name != case.name]
    cases = tuple(sorted((*others, case), key=lambda each: each.name))
    mark = f"{case.digest} {case.tolerance} {sorted(case.layout.items())}"
    return replace(problem, cases=cases, revision=f"{problem.revision} with {case.name} {mark}")


def _failing(footprints: Footprints) -> set[str]:
    return {case for case, footprint in footprints.items() if footprint.kind.verdict is not Verdict.ACCEPTED}


def secret_failures(cases: set[str]) -> set[str]:
    """Those of a set of cases that are secret."""
    return {case for case in cases if not case.startswith("sample/")}


def _error_on(report: Report, case: Case) -> float | None:
    return next((error_of(result, case) for result in report.cases if result.case == case.name), None)


def surviving_without(known: Mapping[str, Footprints], mistakes: Sequence[Mistake], name: str) -> list[str]:
    """The mistakes that no secret case but this one kills."""
    return [
        mistake.name
        for mistake in mistakes
        if (failing := secret_failures(_failing(known.get(mistake.name, {})))) and not failing - {name}
    ]
