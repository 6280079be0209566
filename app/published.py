"""Problems whose revision the store has: nothing else is judged over HTTP. Trusted side.

    files ─► Bank (notices changes) ─► Published ─► store (immutable) ─► submissions pin their revision

A submission names its revision, and that must still be there when it is judged again, long after the files changed.
"""

from __future__ import annotations

import threading
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

log = structlog.get_logger()


class Published:
    """The problems of a bank at revisions that the store has, and old ones from the store. Thread-safe."""

    def __init__(self, bank: Bank, store: Store) -> None:
        self._bank = bank
        self._store = store
        self._lock = threading.Lock()
        self._there = store.read(revisions.published)
        self._last: dict[str, Problem] = {}
        self._old: OrderedDict[tuple[str, str], Problem] = OrderedDict()

    def problems(self) -> dict[str, Problem]:
        """Every problem by its slug. One that just changed is published first: some 10 ms, once a revision."""
        current: dict[str, Problem] = {}
        for slug, problem in self._bank.problems().items():
            last = self._last.get(slug)
            if last is None or last.revision != problem.revision:
                last = self._publish(problem) or last
            if last is not None:
                current[slug] = last
        return current

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

    def _publish(self, problem: Problem) -> Problem | None:
        """The problem as it is in the store now; None when it could not be read or kept."""
        with self._lock:
            if (problem.slug, problem.revision) not in self._there or problem.slug not in self._last:
                try:
                    # Read again: the bank has the problem, and the store needs the bytes that it was made of.
                    snapshot = take_snapshot(self._bank.path / problem.slug)
                    now_ms = in_ms(datetime.now(UTC))
                    self._store.write(lambda connection: revisions.publish(connection, snapshot, now_ms))
                except (PackageError, StoreUnavailable) as error:
                    log.warning("not published", problem=problem.slug, why=str(error))
                    return None
                problem = snapshot.problem
                self._there.add((problem.slug, problem.revision))
                log.info("published", problem=problem.slug, revision=problem.revision[:12])
            self._last[problem.slug] = problem
            return problem
