"""A package keeps its promises: six, each checked by the same judge as students use. Trusted side.

reference ─► answers again     every program ─► reports ─► kill matrix, margins, mistakes that look alike
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from judge import reference
from judge.diagnose import matching
from judge.errors import BadPolicy, JudgeError
from judge.footprint import Footprints, footprints_of
from judge.margins import largest_error, margin
from judge.report import Reason, Report, Verdict
from judge.vacuity import accepted_for_nothing
from judge.verification import Finding, Judged, Level, Promise, Verification
from problems.checks import faults_of
from problems.errors import PackageError
from problems.package import Case, Mistake, Problem, Program

if TYPE_CHECKING:
    from judge.grade import Judge

LEAST_MARGIN = 4.0
"""Of an accepted program under the tolerance: other processors round differently."""
LEAST_SPEED = 10.0
"""How many times the slowest accepted program fits into the time limit: other machines are slower."""
ANSWER_DRIFT = 1e-12
"""Times max|answer|: how much of an answer differs between processors."""

Watch = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is done, and of how much."""


def verify(judge: Judge, problem: Problem, watch: Watch = lambda *_: None) -> Verification:
    """Check all promises. A package so broken that nothing can be judged has the findings that say so.

    JudgeError when the judge fails, so that its failure is never called the package's.
    """
    faults = [Finding(Promise.STATEMENT, Level.ERROR, sentence) for sentence in faults_of(problem)]
    if not problem.cases:
        words = f"data: there are no cases; tensorgrade problem fill {problem.slug} makes the first ones."
        return _nothing_judged(problem, Finding(Promise.KILLS, Level.ERROR, words), *faults)
    try:
        drifted = list(_answers_again(judge, problem))
    except (BadPolicy, PackageError) as error:
        return _nothing_judged(problem, Finding(Promise.VERDICTS, Level.ERROR, str(error)), *faults)
    reports = judged_reports(judge, problem, (*problem.accepted, *problem.mistakes), watch)
    known = {mistake.name: footprints_of(reports[mistake.name].cases) for mistake in problem.mistakes}
    judge.mistakes.put(problem, known)
    reports |= _again_if_slow(judge, problem, reports)
    programs = tuple(
        _judged(problem, program, reports[program.name]) for program in (*problem.accepted, *problem.mistakes)
    )
    vacuous = {
        case.name: tuple(accepted_for_nothing(case.inputs, case.answer, case.tolerance)) for case in problem.cases
    }
    findings = (
        *drifted,
        *_wrong_verdicts(programs, reports),
        *_survivors(problem, programs),
        *_vacuous(problem, vacuous),
        *_thin_margins(problem, programs),
        *_lookalikes(problem, known),
        *faults,
    )
    names = tuple(case.name for case in problem.cases)
    return Verification(problem.slug, problem.revision, names, programs, vacuous, findings)


def _nothing_judged(problem: Problem, *findings: Finding) -> Verification:
    return Verification(problem.slug, problem.revision, (), (), {}, findings)


def judged_reports(
    judge: Judge, problem: Problem, programs: Sequence[Program], watch: Watch = lambda *_: None
) -> dict[str, Report]:
    """Every program on every case, as many at once as there are children."""
    reports: dict[str, Report] = {}
    with ThreadPoolExecutor(judge.options.at_once) as threads:
        waiting = {threads.submit(judge.grade_bare, problem, program.source): program.name for program in programs}
        for done in as_completed(waiting):
            name = waiting[done]
            reports[name] = done.result()
            if reports[name].verdict is Verdict.JUDGE_ERROR:
                raise JudgeError(f"the judge failed on {name}")
            watch("programs", len(reports), len(programs))
    return reports


def _judged(problem: Problem, program: Program, report: Report) -> Judged:
    wrong = program if isinstance(program, Mistake) else None
    error, worst = largest_error(problem, report) if wrong is None else (0.0, "")
    return Judged(
        program=program.name,
        expected=Verdict(wrong.verdict) if wrong else Verdict.ACCEPTED,
        expected_reason=Reason(wrong.reason) if wrong and wrong.reason else None,
        verdict=report.verdict,
        reason=report.reason,
        passed=report.passed,
        total=report.total,
        slowest_ms=max((case.time_ms for case in report.cases), default=0.0),
        error=error,
        worst_case=worst,
        by_case={case.case: case.verdict for case in report.cases if case.verdict is not None},
    )


def _again_if_slow(judge: Judge, problem: Problem, reports: Mapping[str, Report]) -> dict[str, Report]:
    """Programs that looked slow while another ran beside them, alone."""
    limit_ms = problem.limits.time_s * 1000 / LEAST_SPEED
    slow = [
        program for program in problem.accepted if any(case.time_ms > limit_ms for case in reports[program.name].cases)
    ]
    return {program.name: judge.grade_bare(problem, program.source) for program in slow}


# ---------------------------------------------------------------- 1: verdicts
def _answers_again(judge: Judge, problem: Problem) -> Iterator[Finding]:
    cases = problem.cases
    again = reference.answers(judge, problem, [case.inputs for case in cases], [case.layout for case in cases])
    for case, answer in zip(cases, again, strict=True):
        drift = float(np.max(np.abs(answer - case.answer)))
        if drift > ANSWER_DRIFT * float(np.max(np.abs(case.answer))):
            yield Finding(
                Promise.VERDICTS,
                Level.ERROR,
                f"{case.name}: the reference {problem.reference.name} gives another answer than the stored one (by "
                f"{drift:.2g}); remove the case and add it again.",
            )


def _wrong_verdicts(programs: Sequence[Judged], reports: Mapping[str, Report]) -> Iterator[Finding]:
    for judged in programs:
        if judged.is_as_expected:
            continue
        expected = _words(judged.expected, judged.expected_reason)
        got = _words(judged.verdict, judged.reason)
        where = _first_failure(reports[judged.program])
        yield Finding(Promise.VERDICTS, Level.ERROR, f"{judged.program} must be {expected} and is {got}{where}.")


def _words(verdict: Verdict | None, reason: Reason | None) -> str:
    name = (verdict or "not judged").replace("_", " ")
    return f"{name} ({reason.replace('_', ' ')})" if reason else name


def _first_failure(report: Report) -> str:
    if report.errors:
        return f": line {report.errors[0].line}: {report.errors[0].message.rstrip('.')}"
    for case in report.cases:
        if case.verdict not in (Verdict.ACCEPTED, Verdict.SKIPPED, None):
            return f" on {case.case}: {(case.message or case.brief).rstrip('.')}"
    return ""


# ---------------------------------------------------------------- 2: kills
def _survivors(problem: Problem, programs: Sequence[Judged]) -> Iterator[Finding]:
    secret = [case.name for case in problem.cases if not case.is_sample]
    for judged in programs:
        if judged.is_right or judged.verdict is Verdict.COMPILE_ERROR or any(map(judged.fails, secret)):
            continue
        yield Finding(
            Promise.KILLS,
            Level.ERROR,
            f"{judged.program} survives: it fails on no secret case; add a case that tells it from a right program.",
        )


# ---------------------------------------------------------------- 3: vacuity
def _vacuous(problem: Problem, passing: Mapping[str, tuple[str, ...]]) -> Iterator[Finding]:
    for case in problem.cases:
        if passing[case.name] and case.vacuous is None:
            what = " and ".join(passing[case.name])
            yield Finding(
                Promise.VACUITY,
                Level.ERROR,
                f"{case.name}: {what} would be accepted; choose other inputs, or say why that is right with the key "
                f"vacuous in data/{case.name}.yaml.",
            )
        elif case.vacuous is not None and not passing[case.name]:
            yield Finding(
                Promise.VACUITY,
                Level.WARNING,
                f"{case.name}: it is marked vacuous, and nothing that computes nothing passes it; remove the mark.",
            )


# ---------------------------------------------------------------- 4: margins
def _thin_margins(problem: Problem, programs: Sequence[Judged]) -> Iterator[Finding]:
    for judged in programs:
        if not judged.is_right or judged.verdict is not Verdict.ACCEPTED:
            continue
        if (left := margin(judged.error)) < LEAST_MARGIN:
            yield Finding(
                Promise.MARGINS,
                Level.ERROR,
                f"{judged.program} has a margin of {left:.1f} under the tolerance of {judged.worst_case}; at least "
                f"{LEAST_MARGIN:.0f} is needed: raise its atol, see tensorgrade calibrate {problem.slug}.",
            )
        if judged.slowest_ms * LEAST_SPEED > problem.limits.time_s * 1000:
            yield Finding(
                Promise.MARGINS,
                Level.WARNING,
                f"{judged.program} takes {judged.slowest_ms:.0f} ms for a case on this machine; the limit of "
                f"{problem.limits.time_s:g} s should be {LEAST_SPEED:.0f} times the slowest right program.",
            )


# ---------------------------------------------------------------- 5: diagnosis
def _lookalikes(problem: Problem, known: Mapping[str, Footprints]) -> Iterator[Finding]:
    """Pairs of mistakes that no secret case tells apart, and pairs that are said to be one and are not."""
    cases = {case.name: case for case in problem.cases if not case.is_sample}
    secret = {name: {case: each[case] for case in each if case in cases} for name, each in known.items()}
    alike = {frozenset(pair) for pair in combinations(secret, 2) if _are_alike(secret, pair, cases)}
    group = _groups(problem)
    for one, other in sorted(map(sorted, alike)):
        if group[one] != group[other]:
            yield Finding(
                Promise.DIAGNOSIS,
                Level.ERROR,
                f"{one} and {other} give the same outputs on every secret case; add a case that tells them apart, or "
                "mark one with same_as in submissions/submissions.yaml.",
            )
    for mistake in problem.mistakes:
        if mistake.same_as is not None and frozenset((mistake.name, mistake.same_as)) not in alike:
            yield Finding(
                Promise.DIAGNOSIS,
                Level.WARNING,
                f"{mistake.name} is marked as the same as {mistake.same_as}, and their outputs differ; remove same_as.",
            )


def _are_alike(known: Mapping[str, Footprints], pair: tuple[str, str], cases: Mapping[str, Case]) -> bool:
    one, other = pair
    return bool(known[one]) and bool(matching(known[one], {other: known[other]}, cases))


def _groups(problem: Problem) -> dict[str, str]:
    """Mistakes that `same_as` joins, directly or through others, have one group."""
    group = {mistake.name: mistake.name for mistake in problem.mistakes}
    for mistake in problem.mistakes:
        if mistake.same_as is not None:
            old, new = group[mistake.name], group[mistake.same_as]
            group = {name: new if mine == old else mine for name, mine in group.items()}
    return group
