"""What each known mistake of a problem returns: run in the jail once per revision, never while a student waits.

Trusted side. One background thread runs the mistakes one after the other, through the same judge as submissions, and
keeps what they did in memory and, where a directory is given, on disk.
"""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor

from judge.errors import JudgeError
from judge.footprint import Footprints, footprints_of
from judge.mistake_cache import MistakeCache
from judge.report import CaseResult, Report, Verdict
from problems.package import Problem

log = logging.getLogger("tensorgrade.judge")
_KEPT = 16
"""Revisions in memory."""

OnCase = Callable[[CaseResult], None]
Known = Mapping[str, Footprints]
"""By the name of the mistake. One that does not compile has no footprints."""


class ClosingError(Exception):
    """Ends a run in the background because the judge is closed. Never leaves this module."""


class KnownMistakes:
    """What the mistakes of problems do, by revision. Thread-safe."""

    def __init__(self, judge: Callable[[Problem, bytes, OnCase], Report], cache: MistakeCache | None) -> None:
        """`judge` judges a source on all cases of a problem."""
        self._judge = judge
        self._cache = cache
        self._lock = threading.Lock()
        self._by_revision: OrderedDict[str, Future[Known]] = OrderedDict()
        self._worker: ThreadPoolExecutor | None = None
        self._closing = False

    def ready(self, problem: Problem) -> Known | None:
        """What is known, at once; None when it still has to be found out, which starts with this."""
        future = self._future(problem)
        if future is None or not future.done() or future.cancelled():
            return None
        if future.exception() is not None:
            self._forget(problem, future)
            return None
        return future.result()

    def learn(self, problem: Problem) -> Known:
        """What is known, found out first if need be. JudgeError when the judge fails meanwhile."""
        future = self._future(problem)
        if future is None:
            raise JudgeError("the judge is not running")
        try:
            return future.result()
        except ClosingError as error:
            raise JudgeError("the judge was closed while it ran the known mistakes") from error

    def put(self, problem: Problem, known: Known) -> None:
        """Somebody has run all mistakes anyway."""
        future: Future[Known] = Future()
        future.set_result(known)
        with self._lock:
            self._by_revision[problem.revision] = future
        self._write(problem, known)

    def close(self) -> None:
        """End the run in the background: at the latest when its present case ends."""
        with self._lock:
            self._closing = True
            worker, self._worker = self._worker, None
        if worker is not None:
            worker.shutdown(wait=True, cancel_futures=True)

    def _future(self, problem: Problem) -> Future[Known] | None:
        with self._lock:
            if self._closing:
                return None
            future = self._by_revision.get(problem.revision)
            if future is None:
                if self._worker is None:
                    self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="mistakes")
                future = self._by_revision[problem.revision] = self._worker.submit(self._find_out, problem)
                if len(self._by_revision) > _KEPT:
                    self._by_revision.popitem(last=False)
            self._by_revision.move_to_end(problem.revision)
            return future

    def _forget(self, problem: Problem, future: Future[Known]) -> None:
        """Try again the next time."""
        with self._lock:
            if self._by_revision.get(problem.revision) is future:
                del self._by_revision[problem.revision]

    def _find_out(self, problem: Problem) -> Known:
        if self._cache is not None and (known := self._cache.read(problem)) is not None:
            return known
        known = {mistake.name: self._run(problem, mistake.source) for mistake in problem.mistakes}
        log.info("the known mistakes of %s have run", problem.slug)
        self._write(problem, known)
        return known

    def _run(self, problem: Problem, source: bytes) -> Footprints:
        report = self._judge(problem, source, self._go_on)
        if report.verdict is Verdict.JUDGE_ERROR:
            raise JudgeError("the judge failed on a known mistake")
        return footprints_of(report.cases)

    def _go_on(self, _: CaseResult) -> None:
        if self._closing:
            raise ClosingError

    def _write(self, problem: Problem, known: Known) -> None:
        if self._cache is not None:
            self._cache.write(problem, known)
