"""Runs one submission's calls on children, and says what each came to. Trusted side; compares nothing.

The clock is ours: a child is killed when it is late, whatever it says. When a child dies the remaining calls go to a
fresh one, and finished calls keep their outcomes. Everything that comes back is copied before anything else is sent,
so secret inputs reach a child only after all shown outputs and printed text have left it.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from judge import wording
from judge.children import Budget, Child, Death
from judge.errors import BadPolicy, JudgeError
from judge.jail.wire import LoadStatus, Refusal, Status, unpack_refusals, unpack_texts
from judge.outcome import End, LoadFailure, Outcome
from judge.pool import Pool
from judge.request import Batch, Start
from judge.talk import Stop, Talk
from problems.package import Limits

MAX_TIMEOUTS = 3
"""Calls of one submission that may time out; the rest are not run. A hang costs seconds, not minutes."""
DEATH_S = 10.0
"""How long to wait for a killed child's exit status: tearing down a large memory takes a while on a busy machine."""
_FULL = 0.9
"""Share of the memory budget from which on a death counts as memory."""
_SPENT = 0.6
"""Share of the CPU limit from which on a death counts as time: the kernel counts ticks for the limit, and may report
0.76 s of what it killed for 1 s."""

Listener = Callable[[int, int, Sequence[Outcome], memoryview | None], None]
"""Called with the number of the batch, its first call, their outcomes, and the canonical slots when all calls of the
batch are there at once."""


@dataclass(frozen=True, slots=True)
class Job:
    """What one submission asks of its children."""

    start: Start
    source: bytes
    limits: Limits
    batches: tuple[Batch, ...]
    """Those whose results a student may see before those that are secret."""
    wait_s: float
    """How long to wait for a free child."""
    every_tick: bool
    """Whether somebody watches the cases finish one by one."""

    @property
    def budget(self) -> Budget:
        return budget_for(self.limits)


def budget_for(limits: Limits) -> Budget:
    """What a child is armed for under these limits. The CPU limit is a backstop in whole seconds over the wall's."""
    return Budget(limits.memory_mib, int(limits.total_time_s) + 2)


class Execution:
    """One submission on its way through children. `run` it once."""

    def __init__(self, pool: Pool, job: Job, listener: Listener) -> None:
        self._pool = pool
        self._job = job
        self._listener = listener
        self._lines = job.source.count(b"\n") + 1
        self._child: Child | None = None
        self._spent_s = 0.0
        self._timeouts = 0
        self.load_failure: LoadFailure | None = None
        self.refusals: tuple[Refusal, ...] = ()
        """What the policy refused while calling."""
        self.remarks: tuple[str, ...] = ()

    def run(self) -> None:
        """Run every batch; stops early when loading fails or the policy refuses something.

        QueueFull when no child becomes free, JudgeError when a zygote fails meanwhile.
        """
        try:
            for number, batch in enumerate(self._job.batches):
                first = 0
                while first < len(batch.calls) and not self._is_over():
                    first = self._run_from(number, batch, first)
        finally:
            self._let_go()

    def _is_over(self) -> bool:
        return self.load_failure is not None or bool(self.refusals)

    def _let_go(self) -> None:
        if self._child is not None:
            self._pool.release(self._child)
            self._child = None

    def _run_from(self, number: int, whole: Batch, first: int) -> int:
        """Run calls from `first` on in one child; the index of the first one still to run."""
        if self._timeouts >= MAX_TIMEOUTS or self._spent_s >= self._job.limits.total_time_s:
            not_run = [Outcome(Status.UNFINISHED, End.NOT_RUN)] * (len(whole.calls) - first)
            self._listener(number, first, not_run, None)
            return len(whole.calls)
        batch = whole.from_call(first)
        start = None
        if self._child is None:
            self._child = self._pool.take(self._job.budget, self._job.wait_s)
            start = self._job.start
        talk = Talk(self._child, batch, self._job.limits, self._spent_s)
        told = 0

        def heard(finished: int) -> None:
            nonlocal told
            talk.copy()
            self._deliver(number, first + told, talk.outcomes(told, finished), None)
            told = finished

        source = self._job.source if start else b""
        stop = talk.hold(start, source, heard if self._job.every_tick else None)
        self._spent_s += talk.held_s()
        if stop is not Stop.DONE:
            return first + told + self._cut_short(number, first + told, told, talk, stop)
        talk.copy()
        if start and not self._loaded(talk, secret=batch.secret):
            return first
        slots = talk.slots() if first == 0 and told == 0 else None
        self._deliver(number, first + told, talk.outcomes(told, talk.size), slots)
        return first + talk.size

    def _loaded(self, talk: Talk, *, secret: bool) -> bool:
        """Whether the source was loaded. A child that was sent secret inputs has no say in the words about it."""
        status, raw, seconds = talk.load_record()
        if status is LoadStatus.LOADED:
            if not secret:
                self.remarks = tuple(unpack_texts(raw))
            return True
        if status is LoadStatus.BAD_POLICY:
            raise BadPolicy(f"the problem's policy cannot be applied: {' '.join(unpack_texts(raw))}")
        if status is LoadStatus.REFUSED:
            refusals = tuple(unpack_refusals(raw))
            if secret:
                refusals = self._in_fixed_words(refusals)
            self.load_failure = LoadFailure(status, refusals=refusals, time_ms=seconds * 1000)
        else:
            end = End.CRASHED if status is LoadStatus.UNFINISHED else None
            texts = tuple(unpack_texts(raw))
            self.load_failure = LoadFailure(status, end, texts[:1] if secret else texts, time_ms=seconds * 1000)
        return False

    def _deliver(self, number: int, first: int, outcomes: list[Outcome], slots: memoryview | None) -> None:
        for outcome in outcomes:
            if outcome.status is Status.REFUSED:
                self.refusals = outcome.refusals or (Refusal(max(1, outcome.line), 1, "forbidden_name", ""),)
                if self._job.batches[number].secret:
                    self.refusals = self._in_fixed_words(self.refusals)
                return
        if self._job.batches[number].secret:
            outcomes = [replace(each, line=0) if each.line > self._lines else each for each in outcomes]
        if outcomes:
            self._listener(number, first, outcomes, slots)

    def _in_fixed_words(self, refusals: Sequence[Refusal]) -> tuple[Refusal, ...]:
        """The first refusal met on secret inputs, without what the submission may have put into it.

        getattr(Q, str(Q[0])) would say a value; past the policy a submission could write the whole record itself.
        """
        return tuple(
            Refusal(min(refusal.line, self._lines), 1, refusal.code, wording.refused(refusal.code))
            for refusal in refusals[:1]
        )

    def _cut_short(self, number: int, at: int, told: int, talk: Talk, stop: Stop) -> int:
        """The child is late, gone or lying: kill it, keep what it finished, give the running call its end.

        Returns how many calls are settled by that.
        """
        child = self._child
        if child is None:
            raise JudgeError("a talk without a child")
        waited_ms = talk.waited_ms()
        child.kill()
        end = end_of(stop, self._pool.death_of(child, DEATH_S), child)
        talk.copy()
        if talk.load_record()[0] is not LoadStatus.LOADED and told == 0 and at == 0 and number == 0:
            self.load_failure = LoadFailure(LoadStatus.UNFINISHED, end, time_ms=waited_ms)
            self._let_go()
            return 0
        if end in (End.WALL, End.TOTAL):
            self._timeouts += 1
        finished = min(talk.count_finished(), talk.size - 1)  # one that finished all would have said so
        outcomes = talk.outcomes(told, max(told, finished))
        outcomes.append(Outcome(Status.UNFINISHED, end, time_ms=waited_ms))
        following = told + len(outcomes)
        if following < talk.size and talk.repeats(following):
            outcomes.append(Outcome(Status.UNFINISHED, End.NOT_RUN))
        self._let_go()  # not before the outcomes are read: this closes the region
        self._deliver(number, at, outcomes, None)
        return len(outcomes)


def end_of(stop: Stop, death: Death | None, child: Child) -> End:
    """Why a child is gone, from what we saw and how it died. JudgeError when its zygote went with it."""
    if death is None:
        raise JudgeError("a zygote died while it was judging")
    full = death.max_rss - child.armed_rss >= _FULL * child.budget.memory_mib * 1024 * 1024
    match stop:
        case Stop.LATE:
            return End.MEMORY if full else End.WALL
        case Stop.SPENT:
            return End.MEMORY if full else End.TOTAL
        case Stop.LYING | Stop.DONE:
            return End.CRASHED
        case Stop.GONE:
            pass
    if os.WIFEXITED(death.status):
        return End.EXITED
    if os.WTERMSIG(death.status) == signal.SIGKILL:
        # Not ours: it would still be connected. The kernel's, for CPU time or for memory.
        if death.cpu_s >= _SPENT * child.budget.cpu_s:
            return End.TOTAL
        return End.MEMORY if full else End.CRASHED
    return End.CRASHED
