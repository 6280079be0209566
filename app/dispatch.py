"""The threads that judge in this process, each taking whoever's turn it is. Trusted side.

    put(work) ─► Turns ─► thread ─► run(work) ─► done, or again after a pause

`run` is the same wherever a judging runs; another dispatcher may hand it judgings from another queue.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from types import TracebackType
from typing import Self

import structlog

from app.store.accepting import Enqueue, rows_are_the_queue
from app.turns import Turns, Work

FIRST_GUESS_S = 0.05
_MEMORY = 0.1
"""Weight of the latest judging in the mean."""
AFTER_BUG_S = 1.0

log = structlog.get_logger()


class Dispatch:
    """Threads that judge. Entered, it takes work; leaving it ends what runs and leaves the rest to the store."""

    def __init__(self, run: Callable[[Work], float | None], threads: int) -> None:
        """`run` gives None when the work is done, else the pause in seconds after which to run it again."""
        self._run = run
        self._changed = threading.Condition()
        self._turns = Turns(threads)
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
    @property
    def enqueue(self) -> Enqueue:
        """The rows themselves are the queue: after a start they are read again."""
        return rows_are_the_queue

    def reserve(self, judging: str, client: str) -> bool:
        """Announces a judging. True when a thread is idle and now waits for just this: call `start` soon.

        Only for a client's single pending one: the others wait for their turn.
        """
        with self._changed:
            alone = self._turns.pending_of(client) == 0
            self._turns.announce(judging, client)
            if not alone or self._draining or self._turns.somebody_waits() or self._idle <= self._reserved:
                return False
            self._reserved += 1
            return True

    def start(self, work: Work) -> None:
        """Hands work to the thread that was reserved for it."""
        with self._changed:
            self._reserved -= 1
            self._turns.add(replace(work, promised=True))
            self._changed.notify()

    def put(self, work: Work) -> None:
        """Queues work."""
        with self._changed:
            self._turns.add(work)
            self._changed.notify()

    def forget(self, judging: str) -> None:
        """An announced judging that does not come after all."""
        with self._changed:
            self._turns.forget(judging)

    def knows(self, judging: str) -> bool:
        """Whether a judging is announced, queued or running here."""
        with self._changed:
            return self._turns.knows(judging)

    def drain(self) -> None:
        """Begins nothing more; what runs goes on."""
        with self._changed:
            self._draining = True

    # ------------------------------------------------------------------ how much there is
    @property
    def draining(self) -> bool:
        return self._draining

    def pending(self) -> int:
        """Students' judgings: announced, queued or running."""
        return self._turns.pending()

    def pending_of(self, client: str) -> int:
        """The judgings that count on a client."""
        return self._turns.pending_of(client)

    def queued(self) -> int:
        """Students' judgings that wait for a thread."""
        return self._turns.queued()

    def rejudgings(self) -> int:
        """Rejudgings that wait or run."""
        return self._turns.rejudgings()

    def expected_wait_s(self) -> float:
        """How long somebody who comes now would wait for a thread."""
        return self._turns.queued() * self._mean_s / len(self._threads)

    # ------------------------------------------------------------------ the threads
    def _work(self) -> None:
        while (work := self._next()) is not None:
            began = time.monotonic()
            try:
                pause_s = self._run(work)
            except Exception:
                log.exception("judging failed", submission=work.submission)
                pause_s = AFTER_BUG_S
            self._ended(work, pause_s, time.monotonic() - began)

    def _next(self) -> Work | None:
        with self._changed:
            self._idle += 1
            try:
                while not self._stopping:
                    now = time.monotonic()
                    if (work := self._turns.next(now, draining=self._draining)) is not None:
                        return work
                    due = self._turns.next_due()
                    self._changed.wait(None if due is None else max(0.0, due - now))
                return None
            finally:
                self._idle -= 1

    def _ended(self, work: Work, pause_s: float | None, took_s: float) -> None:
        with self._changed:
            self._mean_s += _MEMORY * (took_s - self._mean_s)
            self._turns.done(work)
            if pause_s is None:
                self._turns.forget(work.judging)
            else:
                self._turns.add_later(work, time.monotonic() + pause_s)
            # One more may have its turn now, in a thread that was told to wait.
            self._changed.notify()
