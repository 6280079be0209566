"""Problems whose revision the store has: nothing else is judged over HTTP. Trusted side.

    files ─► Bank (notices changes) ─► Published ─► store (immutable) ─► submissions pin their revision

A submission names its revision, and that must still be there when it is judged again, long after the files changed.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import OrderedDict
from datetime import UTC, datetime

import structlog

from app.store import revisions
from app.store.clock import in_ms
from app.store.errors import StoreUnavailable
from app.store.store import Store
from problems.errors import PackageError
from problems.package import Problem
from problems.snapshot import take_snapshot
from problems.watching import Bank

KEPT = 32
"""Old revisions in memory, for judgings that were read from the store."""

AGAIN_S = 5.0
"""After which a revision that could not be published is tried again; until then the last one is judged on."""

log = structlog.get_logger()


class Published:
    """The problems of a bank at revisions that the store has, and old ones from the store. Thread-safe."""

    def __init__(self, bank: Bank, store: Store) -> None:
        self._bank = bank
        self._store = store
        self._lock = threading.Lock()
        self._there = store.read(revisions.published)
        self._last: dict[str, Problem] = {}
        self._again_at: dict[str, float] = {}
        self._old: OrderedDict[tuple[str, str], Problem] = OrderedDict()

    async def current(self) -> dict[str, Problem]:
        """As `problems`, in a thread when something must be published."""
        problems = self._bank.problems()
        if any(self._is_news(problem) for problem in problems.values()):
            return await asyncio.to_thread(self.problems)
        return {slug: self._last[slug] for slug in problems if slug in self._last}

    def problems(self) -> dict[str, Problem]:
        """Every problem by its slug. One that just changed is published first: some 10 ms, once a revision."""
        problems = self._bank.problems()
        for problem in problems.values():
            if self._is_news(problem):
                self._publish(problem)
        return {slug: self._last[slug] for slug in problems if slug in self._last}

    def _is_news(self, problem: Problem) -> bool:
        last = self._last.get(problem.slug)
        news = last is None or last.revision != problem.revision
        return news and time.monotonic() >= self._again_at.get(problem.slug, 0.0)

    def at(self, slug: str, revision: str) -> Problem:
        """A problem as it was at a revision; PackageError when the store does not have it."""
        last = self._last.get(slug)
        if last is not None and last.revision == revision:
            return last
        with self._lock:
            old = self._old.get((slug, revision))
        if old is None:
            old = self._store.read(lambda connection: revisions.load(connection, slug, revision))
        with self._lock:
            self._old[slug, revision] = old
            self._old.move_to_end((slug, revision))
            if len(self._old) > KEPT:
                self._old.popitem(last=False)
        return old

    def _publish(self, problem: Problem) -> None:
        """Makes this the current revision; when it cannot be read or kept, the last one stays for a while."""
        with self._lock:
            if (problem.slug, problem.revision) not in self._there or problem.slug not in self._last:
                try:
                    # Read again: the bank has the problem, and the store needs the bytes that it was made of.
                    snapshot = take_snapshot(self._bank.path / problem.slug)
                    now_ms = in_ms(datetime.now(UTC))
                    self._store.write(lambda connection: revisions.publish(connection, snapshot, now_ms))
                except (PackageError, StoreUnavailable) as error:
                    log.warning("not published", problem=problem.slug, why=str(error))
                    self._again_at[problem.slug] = time.monotonic() + AGAIN_S
                    return
                problem = snapshot.problem
                self._there.add((problem.slug, problem.revision))
                log.info("published", problem=problem.slug, revision=problem.revision[:12])
            self._last[problem.slug] = problem
