"""Who is judged next, in this process: a queue by priority and threads that take from it. Trusted side.

    put(work) ─► queue ─► thread ─► run(work) ─► done, or again after a pause

`run` is the same wherever a judging runs; another dispatcher may hand it judgings from another queue.
"""

from __future__ import annotations

import heapq
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Self

import structlog

from app.submission import Submission

FIRST_GUESS_S = 0.05
_MEMORY = 0.1
"""Weight of the latest judging in the mean."""

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Work:
    """A judging that somebody must run."""

    judging: str
    submission: str
    """Its id."""
    given: Submission | None = None
    """What is judged, in the process that accepted it: it is in memory, and nobody else can claim it."""
    reserved: bool = False
    """Whether an idle thread was promised to it."""
    tries: int = 0
    """How often the grader failed on it so far."""
    priority: int = 0
    current: bool = True
    """Whether its report is the submission's; that of a rejudging is not, before it is applied."""


class Dispatch:
    """Threads that judge. Entered, it takes work; leaving it ends what runs and leaves the rest to the store."""

    def __init__(self, run: Callable[[Work], float | None], threads: int) -> None:
        """`run` gives None when the work is done, else the pause in seconds after which to run it again."""
        self._run = run
        self._changed = threading.Condition()
        self._ready: list[tuple[int, int, int, Work]] = []
        self._later: list[tuple[float, int, Work]] = []
        self._number = 0
        self._known: set[str] = set()
        self._idle = 0
        self._reserved = 0
        self._mean_s = FIRST_GUESS_S
        self._draining = False
        self._stopping = False
        self._threads = [threading.Thread(target=self._work, name=f"judging-{n}", daemon=True) for n in range(threads)]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._changed:
            self._draining = self._stopping = True
            self._changed.notify_all()
        for thread in self._threads:
            thread.join()

    # ------------------------------------------------------------------ taking work
    def reserve(self, judging: str) -> bool:
        """Announces a judging. True when a thread is idle and now waits for just this: call `start` soon."""
        with self._changed:
            self._known.add(judging)
            if self._draining or self._ready or self._idle <= self._reserved:
                return False
            self._reserved += 1
            return True

    def start(self, work: Work) -> None:
        """Hands work to the thread that was reserved for it."""
        with self._changed:
            self._reserved -= 1
            self._push(replace(work, reserved=True))

    def put(self, work: Work) -> None:
        """Queues work; a higher priority comes first."""
        with self._changed:
            self._known.add(work.judging)
            self._push(work)

    def forget(self, judging: str) -> None:
        """An announced judging that does not come after all."""
        with self._changed:
            self._known.discard(judging)

    def knows(self, judging: str) -> bool:
        """Whether a judging is announced, queued or running here."""
        with self._changed:
            return judging in self._known

    def drain(self) -> None:
        """Begins nothing more; what runs goes on."""
        with self._changed:
            self._draining = True

    # ------------------------------------------------------------------ how much there is
    @property
    def draining(self) -> bool:
        return self._draining

    def pending(self) -> int:
        """Judgings announced, queued or running."""
        return len(self._known)

    def queued(self) -> int:
        """Judgings that wait for a thread."""
        return len(self._ready) + len(self._later)

    def expected_wait_s(self) -> float:
        """How long somebody who comes now would wait for a thread."""
        return self.queued() * self._mean_s / len(self._threads)

    # ------------------------------------------------------------------ the threads
    def _push(self, work: Work) -> None:
        self._number += 1
        heapq.heappush(self._ready, (0 if work.reserved else 1, -work.priority, self._number, work))
        self._changed.notify()

    def _work(self) -> None:
        while (work := self._next()) is not None:
            began = time.monotonic()
            try:
                pause_s = self._run(work)
            except Exception:
                log.exception("judging failed", submission=work.submission)
                pause_s = 1.0
            self._ended(work, pause_s, time.monotonic() - began)

    def _next(self) -> Work | None:
        with self._changed:
            self._idle += 1
            try:
                while not self._stopping:
                    now = time.monotonic()
                    while self._later and self._later[0][0] <= now:
                        self._push(heapq.heappop(self._later)[2])
                    if self._ready and (not self._draining or self._ready[0][-1].reserved):
                        return heapq.heappop(self._ready)[-1]
                    self._changed.wait(self._later[0][0] - now if self._later else None)
                return None
            finally:
                self._idle -= 1

    def _ended(self, work: Work, pause_s: float | None, took_s: float) -> None:
        with self._changed:
            self._mean_s += _MEMORY * (took_s - self._mean_s)
            if pause_s is None:
                self._known.discard(work.judging)
                return
            self._number += 1
            again = replace(work, given=None, reserved=False, tries=work.tries + 1)
            heapq.heappush(self._later, (time.monotonic() + pause_s, self._number, again))
            self._changed.notify()
