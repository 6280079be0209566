"""Turns outcomes into case results as they come in, and case results into a verdict. Trusted side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from judge import wording
from judge.compare import difference, reason_against
from judge.execute import Execution
from judge.footprint import alike, thinned
from judge.jail import wire
from judge.jail.wire import LoadStatus, Status
from judge.outcome import End, LoadFailure, Outcome
from judge.plan import OWN, Plan
from judge.report import (
    MUTATED_INPUT,
    NONDETERMINISTIC,
    CaseResult,
    CompileProblem,
    Reason,
    Verdict,
)
from problems.package import Case, Problem

_COMPILE_REASONS = frozenset(
    {
        Reason.SYNTAX_ERROR,
        Reason.FORBIDDEN_CONSTRUCT,
        Reason.FORBIDDEN_NAME,
        Reason.FORBIDDEN_IMPORT,
        Reason.MISSING_FUNCTION,
        Reason.TOO_LARGE,
    }
)


@dataclass(frozen=True, slots=True)
class _Ruling:
    """Verdict, reason and words about one case."""

    verdict: Verdict | None
    reason: Reason | None = None
    message: str = ""
    brief: str = ""


class Results:
    """Collects the results of one submission; `add` is an `execute.Listener`."""

    def __init__(self, problem: Problem, plan: Plan, told: Callable[[CaseResult], None] | None) -> None:
        self._problem = problem
        self._plan = plan
        self._told = told
        self._by_case: dict[int, CaseResult] = {}
        self._mutated = False
        self._by_chance = False

    def add(self, number: int, first: int, outcomes: Sequence[Outcome], slots: memoryview | None) -> None:
        """Outcomes of a batch's calls from `first` on; `slots` when all of its calls are there at once."""
        entries = self._plan.entries[number]
        expectation = self._plan.expectations[number]
        right = expectation.right(slots) if slots is not None and expectation.usable else None
        for index, outcome in enumerate(outcomes, start=first):
            entry = entries[index]
            case = self._plan.cases[entry.case]
            known = bool(right[index]) if right is not None and _comparable(outcome, case) else None
            if entry.second:
                self._compare_second(entry.case, outcome, case, agrees=known)
            else:
                self._settle(entry.case, self._result(case, outcome, agrees=known))
            self._mutated |= outcome.mutated

    def _settle(self, place: int, result: CaseResult) -> None:
        self._by_case[place] = result
        if self._told is not None:
            self._told(result)

    def _compare_second(self, place: int, outcome: Outcome, case: Case, *, agrees: bool | None) -> None:
        """The sample's second call is not like its first: chance, or something kept between calls."""
        first = self._by_case.get(place)
        if first is None or outcome.end is End.NOT_RUN:
            return
        if first.verdict is Verdict.ACCEPTED:
            self._by_chance |= self._rule(case, outcome, agrees=agrees).verdict is not Verdict.ACCEPTED
        elif first.output is not None and outcome.values is not None:
            self._by_chance |= not _alike(first.output, outcome.values, case)

    def _result(self, case: Case, outcome: Outcome, *, agrees: bool | None) -> CaseResult:
        ruling = self._rule(case, outcome, agrees=agrees)
        own = case.group == OWN
        shown = case.is_shown or own
        verdict = None if own and ruling.verdict in (Verdict.ACCEPTED, Verdict.WRONG_ANSWER) else ruling.verdict
        gap = None
        if shown and outcome.values is not None and _measurable(outcome, case):
            gap = difference(outcome.values, case.answer, case.tolerance)
        raised = outcome.status is Status.RAISED
        return CaseResult(
            case=case.name,
            group=case.group,
            title=case.title,
            shown=shown,
            verdict=verdict,
            reason=ruling.reason if verdict is not None else None,
            message=ruling.message if verdict is not None else "",
            brief=ruling.brief if verdict is not None else "",
            line=outcome.line or None,
            error_type=wording.raised(outcome)[2] if raised else None,
            returned_type=_returned_type(outcome),
            traceback=outcome.texts[3] if raised and shown and len(outcome.texts) > 3 else "",  # noqa: PLR2004 - the fourth text
            time_ms=round(outcome.time_ms, 3),
            output=outcome.values,
            output_dtype=wire.DTYPES[outcome.dtype] if outcome.values is not None else None,
            output_from_sequence=outcome.from_sequence,
            expected=case.answer,
            max_abs_error=gap.max_abs_error if gap else None,
            worst=gap.worst if gap else (),
            stdout=outcome.stdout if shown else "",
            stdout_cut=outcome.stdout_cut,
        )

    def _rule(self, case: Case, outcome: Outcome, *, agrees: bool | None) -> _Ruling:
        if outcome.end is not None:
            return self._rule_end(outcome.end)
        limits = self._problem.limits
        match outcome.status:
            case Status.RAISED:
                message, brief, _ = wording.raised(outcome)
                return _Ruling(Verdict.RUN_TIME_ERROR, Reason.EXCEPTION, message, brief)
            case Status.EXITED:
                return _Ruling(Verdict.RUN_TIME_ERROR, Reason.EXITED, wording.EXITED, wording.EXITED)
            case Status.OUT_OF_MEMORY:
                words = wording.memory_limit(limits)
                return _Ruling(Verdict.MEMORY_LIMIT_EXCEEDED, None, words, words)
            case Status.TOO_MUCH_OUTPUT:
                return _Ruling(Verdict.OUTPUT_LIMIT_EXCEEDED, None, wording.OUTPUT_LIMIT, wording.OUTPUT_LIMIT)
        if agrees:
            return _Ruling(Verdict.ACCEPTED)
        reason = reason_against(outcome, case)
        if reason is None:
            return _Ruling(Verdict.ACCEPTED)
        gap = None
        if reason in (Reason.VALUES_DIFFER, Reason.NON_FINITE) and outcome.values is not None:
            gap = difference(outcome.values, case.answer, case.tolerance)
        message, brief = wording.wrong_answer(outcome, case, reason, gap, self._problem.entry_point)
        return _Ruling(Verdict.WRONG_ANSWER, reason, message, brief)

    def _rule_end(self, end: End) -> _Ruling:
        limits = self._problem.limits
        match end:
            case End.WALL:
                words = wording.time_limit(limits, total=False)
                return _Ruling(Verdict.TIME_LIMIT_EXCEEDED, Reason.WALL, words, words)
            case End.TOTAL:
                words = wording.time_limit(limits, total=True)
                return _Ruling(Verdict.TIME_LIMIT_EXCEEDED, Reason.TOTAL, words, words)
            case End.MEMORY:
                words = wording.memory_limit(limits)
                return _Ruling(Verdict.MEMORY_LIMIT_EXCEEDED, None, words, words)
            case End.CRASHED:
                return _Ruling(Verdict.RUN_TIME_ERROR, Reason.CRASHED, wording.CRASHED, wording.CRASHED)
            case End.EXITED:
                return _Ruling(Verdict.RUN_TIME_ERROR, Reason.EXITED, wording.EXITED, wording.EXITED)
            case End.NOT_RUN:
                words = wording.NOT_RUN_TOTAL if self._total_spent() else wording.NOT_RUN_TIME
                return _Ruling(Verdict.SKIPPED, None, words, words)

    def _total_spent(self) -> bool:
        return any(result.reason is Reason.TOTAL for result in self._by_case.values())

    # ------------------------------------------------------------------ when everything has come in
    def compile_errors(self, execution: Execution) -> tuple[CompileProblem, ...]:
        """What the compiler or the policy refused, whenever it was found; empty when nothing was."""
        failure = execution.load_failure
        if failure is not None and failure.status is LoadStatus.NO_FUNCTION:
            name = self._problem.entry_point.function
            words = f"The function {name} is missing: define it under exactly this name."
            return (CompileProblem(1, 1, Reason.MISSING_FUNCTION.value, words),)
        refused = failure.refusals if failure else execution.refusals
        if not refused and failure is not None and failure.status is LoadStatus.REFUSED:
            refused = (wire.Refusal(1, 1, Reason.FORBIDDEN_CONSTRUCT.value, "The code was refused."),)
        return tuple(
            CompileProblem(
                max(1, each.line),
                max(1, each.column),
                each.code if each.code in _COMPILE_REASONS else Reason.FORBIDDEN_CONSTRUCT.value,
                each.message,
            )
            for each in sorted(refused, key=lambda each: (each.line, each.column))
        )

    def settle_load_failure(self, failure: LoadFailure | None) -> None:
        """Give the first case without a result what happened while loading; the rest are skipped."""
        if failure is None:
            return
        ruling = self._rule_load(failure)
        for place, case in enumerate(self._plan.cases):
            if place in self._by_case:
                continue
            self._settle(place, _bare(case, ruling, failure))
            words = wording.NOT_LOADED
            ruling = _Ruling(Verdict.SKIPPED, None, words, words)
            failure = LoadFailure(LoadStatus.UNFINISHED)

    def _rule_load(self, failure: LoadFailure) -> _Ruling:
        limits = self._problem.limits
        if failure.end in (End.WALL, End.TOTAL):
            words = wording.time_limit(limits, total=False, loading=True)
            return _Ruling(Verdict.TIME_LIMIT_EXCEEDED, Reason.WHILE_LOADING, words, words)
        if failure.end is not None:
            return self._rule_end(failure.end)
        as_call = {
            LoadStatus.RAISED: Status.RAISED,
            LoadStatus.EXITED: Status.EXITED,
            LoadStatus.OUT_OF_MEMORY: Status.OUT_OF_MEMORY,
            LoadStatus.TOO_MUCH_OUTPUT: Status.TOO_MUCH_OUTPUT,
        }[failure.status]
        outcome = Outcome(as_call, texts=failure.texts, line=_line(failure.texts))
        return self._rule(self._plan.cases[0], outcome, agrees=None)

    def fail_judge(self) -> None:
        """The judge failed twice: every case says so."""
        words = wording.JUDGE_FAILED
        for place, case in enumerate(self._plan.cases):
            ruling = _Ruling(Verdict.JUDGE_ERROR, None, words, words)
            self._by_case[place] = _bare(case, ruling, LoadFailure(LoadStatus.UNFINISHED))

    def cases(self) -> tuple[CaseResult, ...]:
        """Every case in order."""
        return tuple(self._by_case[place] for place in range(len(self._plan.cases)))

    def verdict(self, mode: str) -> tuple[Verdict | None, Reason | None]:
        """Accepted iff all cases are; else the first in case order that is not. A run is never called accepted."""
        results = self.cases()
        for result in results:
            if result.verdict is Verdict.JUDGE_ERROR:
                return result.verdict, None
        for result in results:
            if result.verdict not in (Verdict.ACCEPTED, None):
                return result.verdict, result.reason
        return (None, None) if mode == "run" else (Verdict.ACCEPTED, None)

    def notes(self) -> tuple[str, ...]:
        """Notes beside the verdict."""
        notes = {MUTATED_INPUT: self._mutated, NONDETERMINISTIC: self._by_chance}
        return tuple(note for note, holds in notes.items() if holds)


def _comparable(outcome: Outcome, case: Case) -> bool:
    """Whether the batch's one comparison speaks about this outcome."""
    return outcome.canonical and outcome.status is Status.TENSOR and outcome.shape == case.answer.shape


def _measurable(outcome: Outcome, case: Case) -> bool:
    return outcome.shape == case.answer.shape and outcome.values is not None and outcome.values.dtype.kind == "f"


def _returned_type(outcome: Outcome) -> str | None:
    if outcome.status is not Status.OTHER_TYPE:
        return None
    return wording.known_type(outcome.texts[0] if outcome.texts else wording.OWN_TYPE)


def _alike(first: NDArray[Any], second: NDArray[Any], case: Case) -> bool:
    largest = float(np.max(np.abs(case.answer)))
    comparable = first.shape == second.shape and np.iscomplexobj(first) == np.iscomplexobj(second)
    return comparable and alike(thinned(first), thinned(second), case.tolerance, largest)


def _line(texts: tuple[str, ...]) -> int:
    return int(texts[1]) if len(texts) > 1 and texts[1].isdecimal() and len(texts[1]) < 8 else 0  # noqa: PLR2004


def _bare(case: Case, ruling: _Ruling, failure: LoadFailure) -> CaseResult:
    """A result without an output."""
    shown = case.is_shown or case.group == OWN
    raised = failure.status is LoadStatus.RAISED
    return CaseResult(
        case=case.name,
        group=case.group,
        title=case.title,
        shown=shown,
        verdict=ruling.verdict,
        reason=ruling.reason,
        message=ruling.message,
        brief=ruling.brief,
        line=_line(failure.texts) or None,
        error_type=wording.known_type(failure.texts[0]) if raised and failure.texts else None,
        traceback=failure.texts[3] if raised and shown and len(failure.texts) > 3 else "",  # noqa: PLR2004
        time_ms=round(failure.time_ms, 3),
        expected=case.answer,
    )
