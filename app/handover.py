"""Hands judgings over to workers on other machines, through the queue in the database. Trusted side.

A server that does so judges nothing and forgets nothing: what it accepted is in the database, with its job, before
anybody is answered.
"""

from __future__ import annotations

import time
from threading import Lock

from app.hub import Hub
from app.store.accepting import Enqueue
from app.store.jobs import Jobs, Load
from app.turns import Work

MS = 1000


class Handover:
    """The dispatcher of a server without a judge. Thread-safe."""

    def __init__(self, jobs: Jobs, hub: Hub) -> None:
        self._enqueue = jobs.defer
        self._hub = hub
        self._lock = Lock()
        self._announced: dict[str, str] = {}
        self._load = Load(0, 0, None, 0)
        self._draining = False

    @property
    def enqueue(self) -> Enqueue:
        return self._enqueue

    def reserve(self, judging: str, client: str) -> bool:
        """Never begins before it is durable: another machine judges it."""
        with self._lock:
            self._announced[judging] = client
        return False

    def start(self, work: Work) -> None:
        """Is never called: nothing is reserved."""
        raise AssertionError(work)

    def put(self, work: Work) -> None:
        """Its job is durable with it: there is nothing left to do."""
        self.forget(work.judging)

    def forget(self, judging: str) -> None:
        with self._lock:
            self._announced.pop(judging, None)

    def drain(self) -> None:
        self._draining = True

    @property
    def draining(self) -> bool:
        return self._draining

    # ------------------------------------------------------------------ how much there is
    def seen(self, load: Load) -> None:
        """What the database said a moment ago."""
        self._load = load

    @property
    def workers(self) -> int:
        """Workers that were alive a moment ago."""
        return self._load.workers

    def pending(self) -> int:
        """What this server accepts just now, and what may be waited for here."""
        return len(self._announced) + len(self._hub)

    def pending_of(self, client: str) -> int:
        """Those that are being accepted; all others are counted in the transaction that keeps one more."""
        with self._lock:
            return sum(each == client for each in self._announced.values())

    def queued(self) -> int:
        return self._load.queued

    def rejudgings(self) -> int:
        return self._load.rejudgings

    def expected_wait_s(self) -> float:
        """As long as the first in the queue has waited by now."""
        oldest_ms = self._load.oldest_ms
        return 0.0 if oldest_ms is None else max(0.0, time.time() - oldest_ms / MS)
