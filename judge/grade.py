"""The entrances of the judge: a problem and a source in, a report out. Trusted side.

The page, the API, the command line, verify and case add all call `Judge.grade`.
"""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import TracebackType
from typing import Self

from judge import layers as jail_layers
from judge import reference, selftest
from judge.diagnose import diagnosis_of
from judge.errors import JudgeError, QueueFull
from judge.execute import Execution, Job, budget_for
from judge.mistake_cache import MistakeCache
from judge.mistakes import KnownMistakes
from judge.options import JudgeOptions
from judge.outcome import Outcome
from judge.plan import Plan, plan_for_cases, plan_for_inputs
from judge.pool import Pool
from judge.report import CaseResult, CompileProblem, LayerState, Reason, Report, Verdict
from judge.request import start_of
from judge.results import Results
from problems.package import Case, Float32Array, Float64Array, Limits, Problem

log = logging.getLogger("tensorgrade.judge")
_KEPT_PLANS = 32
OnCase = Callable[[CaseResult], None]


class Judge:
    """A pool of jailed processes and the one road through it. Thread-safe; use it as a context manager.

    Entering starts the zygotes and runs the self-test: JailUnavailable names a layer that does not hold and the
    command that fixes it.
    """

    def __init__(self, options: JudgeOptions) -> None:
        self.options = options
        self._plans: OrderedDict[tuple[str, bool, tuple[str, ...]], Plan] = OrderedDict()
        self._plans_lock = threading.Lock()
        self._pool: Pool | None = None
        self._layers: tuple[LayerState, ...] = ()
        self._mistakes = KnownMistakes(self.grade_bare, None)

    def __enter__(self) -> Self:
        bubblewrap = jail_layers.wants_bubblewrap(self.options)
        begin = jail_layers.starter(self.options, bubblewrap=bubblewrap)
        self._pool = Pool(self.options.zygotes, self.options.armed, budget_for(Limits()), begin)
        import torch  # noqa: PLC0415 - for the comparison; while the zygotes import theirs

        if self.options.cache_dir is not None:
            conditions = f"{torch.__version__} {sorted(self.options.waive)}"
            self._mistakes = KnownMistakes(self.grade_bare, MistakeCache(self.options.cache_dir, conditions))

        try:
            self._layers = jail_layers.survey(self._pool, self.options, bubblewrap)
            selftest.run(self)
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Kill every process of the judge."""
        self._mistakes.close()
        if self._pool is not None:
            self._pool.close()
            self._pool = None

    @property
    def pool(self) -> Pool:
        """The running pool; JudgeError before the judge is entered."""
        if self._pool is None:
            raise JudgeError("the judge is not running")
        return self._pool

    def layers(self) -> tuple[LayerState, ...]:
        """Each layer of the jail as found at start."""
        return self._layers

    def zygotes(self) -> tuple[int, int]:
        """Zygotes alive, and wanted."""
        return self.pool.count()

    def grade(
        self,
        problem: Problem,
        source: bytes,
        *,
        cases: Sequence[Case] | None = None,
        on_case: OnCase | None = None,
    ) -> Report:
        """Judge a source on all cases of a problem, or on those given. `on_case` is called as each case finishes.

        A failure of the judge itself is retried once and then reported as judge_error. QueueFull when every child
        stays busy. What fails on all cases is diagnosed, once it is known what the problem's mistakes do.
        """
        plan = self._plan(problem, cases)
        report = self._judge(problem, source, plan, "submit", on_case)
        return self._diagnosed(problem, report) if cases is None else report

    def grade_bare(self, problem: Problem, source: bytes, on_case: OnCase | None = None) -> Report:
        """As `grade`, without a diagnosis: how a package's own programs are judged."""
        return self._judge(problem, source, self._plan(problem, None), "submit", on_case)

    def grade_without_policy(self, problem: Problem, source: bytes) -> Report:
        """As `grade`, with nothing but the wall: how the self-test tries it."""
        return self._judge(problem, source, self._plan(problem, None), "submit", None, restricted=False)

    def run(
        self,
        problem: Problem,
        source: bytes,
        inputs: Sequence[Mapping[str, Float32Array]] = (),
        *,
        layouts: Sequence[Mapping[str, str]] | None = None,
        on_case: OnCase | None = None,
    ) -> Report:
        """Judge a source on the samples, and call it on inputs of the student's own (checked by the caller).

        Own cases are named own/1, own/2, ...; what they expect is computed by the reference. `layouts` has one for
        each of the inputs; without it all are contiguous.
        """
        plan = self._plan(problem, problem.samples)
        if inputs:
            layouts = [{}] * len(inputs) if layouts is None else layouts
            answers = reference.answers(self, problem, inputs, layouts)
            plan = plan_for_inputs(problem, inputs, layouts, answers)
        return self._diagnosed(problem, self._judge(problem, source, plan, "run", on_case))

    @property
    def mistakes(self) -> KnownMistakes:
        """What the mistakes of problems do; `learn` waits for it, so that later reports have a diagnosis."""
        return self._mistakes

    def answer(
        self, problem: Problem, inputs: Mapping[str, Float32Array], *, layout: Mapping[str, str] | None = None
    ) -> Float64Array:
        """What the reference returns for float64 copies of these inputs, computed in the jail.

        PackageError when it fails, or does not return float64.
        """
        return reference.answers(self, problem, [inputs], [layout or {}])[0]

    def diagnosed(self, problem: Problem, report: Report) -> Report:
        """The report with its diagnosis. Runs the problem's mistakes first if need be: seconds, once a revision."""
        if report.verdict in (None, Verdict.ACCEPTED, Verdict.COMPILE_ERROR, Verdict.JUDGE_ERROR):
            return report
        return replace(report, diagnosis=diagnosis_of(problem, report, self._mistakes.learn(problem)))

    # ------------------------------------------------------------------ below the entrances
    def _diagnosed(self, problem: Problem, report: Report) -> Report:
        """The report with its diagnosis. Nothing is run for it here."""
        if report.verdict in (None, Verdict.ACCEPTED):
            return report
        diagnosis = diagnosis_of(problem, report, self._mistakes.ready(problem))
        return report if diagnosis is None else replace(report, diagnosis=diagnosis)

    def _plan(self, problem: Problem, cases: Sequence[Case] | None) -> Plan:
        chosen = problem.cases if cases is None else tuple(cases)
        marks = () if cases is None else tuple(f"{case.name}:{case.digest}:{case.tolerance}" for case in chosen)
        key = problem.revision, cases is None, marks
        with self._plans_lock:
            plan = self._plans.get(key)
            if plan is None:
                plan = self._plans[key] = plan_for_cases(problem, chosen)
                if len(self._plans) > _KEPT_PLANS:
                    self._plans.popitem(last=False)
            self._plans.move_to_end(key)
            return plan

    def _judge(
        self,
        problem: Problem,
        source: bytes,
        plan: Plan,
        mode: str,
        on_case: OnCase | None,
        *,
        restricted: bool = True,
    ) -> Report:
        if len(source) > problem.limits.source_kib * 1024:
            return self._too_large(problem, source, mode)
        told: set[str] = set()

        def tell_once(result: CaseResult) -> None:
            if on_case is not None and result.case not in told:
                told.add(result.case)
                on_case(result)

        for _ in range(2):
            results = Results(problem, plan, tell_once if on_case else None)
            job = self._job(problem, source, plan, watched=on_case is not None, restricted=restricted)
            execution = Execution(self.pool, job, results.add)
            try:
                execution.run()
            except QueueFull:
                raise
            except JudgeError:
                log.exception("the judge failed on %s", problem.slug)
                continue
            return self._report(problem, results, execution, mode)
        return self._report(problem, results, None, mode)

    def _job(
        self, problem: Problem, source: bytes, plan: Plan, *, watched: bool = False, restricted: bool = True
    ) -> Job:
        start = start_of(problem, restricted=restricted and "policy" not in self.options.waive)
        return Job(start, source, problem.limits, plan.batches, self.options.wait_s, watched)

    def _too_large(self, problem: Problem, source: bytes, mode: str) -> Report:
        message = f"The source has {len(source)} bytes; {problem.limits.source_kib} KiB are allowed."
        errors = (CompileProblem(1, 1, Reason.TOO_LARGE.value, message),)
        return self._compile_error(problem, errors, mode)

    def _compile_error(self, problem: Problem, errors: tuple[CompileProblem, ...], mode: str) -> Report:
        return Report(
            problem.slug,
            problem.revision,
            mode,
            Verdict.COMPILE_ERROR,
            Reason(errors[0].code),
            (),
            errors=errors,
            layers=self.holding(),
        )

    def holding(self) -> tuple[str, ...]:
        """Names of the layers that hold."""
        return tuple(layer.name for layer in self._layers if layer.state == "holds")

    def _report(self, problem: Problem, results: Results, execution: Execution | None, mode: str) -> Report:
        if execution is None:
            results.fail_judge()
        else:
            errors = results.compile_errors(execution)
            if errors:
                return self._compile_error(problem, errors, mode)
            results.settle_load_failure(execution.load_failure)
        verdict, reason = results.verdict(mode)
        return Report(
            problem.slug,
            problem.revision,
            mode,
            verdict,
            reason,
            results.cases(),
            notes=results.notes(),
            remarks=execution.remarks if execution else (),
            layers=self.holding(),
        )

    def call(self, problem: Problem, source: bytes, plan: Plan) -> tuple[Execution, list[Outcome | None]]:
        """Make a plan's calls and compare nothing: how it went, and what each call came to, None where none did."""
        outcomes: list[Outcome | None] = [None] * sum(len(batch.calls) for batch in plan.batches)

        def add(number: int, first: int, got: Sequence[Outcome], _: memoryview | None) -> None:
            at = first + sum(len(batch.calls) for batch in plan.batches[:number])
            outcomes[at : at + len(got)] = got

        execution = Execution(self.pool, self._job(problem, source, plan), add)
        execution.run()
        return execution, outcomes
