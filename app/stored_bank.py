"""The bank of many machines: the problems as the database has them. Trusted side.

    case add, anywhere ─► revision in the database ─► refresh, on every server ─► submissions pin it ─► at, on a worker

Nobody shares a directory. Revisions never change, so what was read once is kept and only files that are new travel.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping
from types import MappingProxyType

import structlog

from app.store import revisions
from app.store.store import Store
from problems.errors import PackageError
from problems.package import Problem
from problems.snapshot import problem_at

KEPT = 32
"""Revisions in memory."""
KEPT_BYTES = 64 << 20
"""Of files in memory; the shipped problem has 0.3 MB."""

log = structlog.get_logger()


class StoredBank:
    """Problems from the store, at their current revision or at another. Thread-safe.

    Readers see what was there at the last `refresh` and never wait for the database, except for a revision that is not
    in memory.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self._lock = threading.Lock()
        self._problems: Mapping[str, Problem] = MappingProxyType({})
        self._trouble: Mapping[str, str] = MappingProxyType({})
        self._revisions: OrderedDict[tuple[str, str], Problem] = OrderedDict()
        self._files: OrderedDict[str, bytes] = OrderedDict()

    # ------------------------------------------------------------------ current revisions
    def problems(self) -> dict[str, Problem]:
        """Every problem by its slug."""
        return dict(self._problems)

    async def current(self) -> dict[str, Problem]:
        """The same, for handlers."""
        return dict(self._problems)

    def get(self, slug: str) -> Problem:
        """The problem of that slug; KeyError when there is none."""
        return self._problems[slug]

    def trouble(self) -> dict[str, str]:
        """What is wrong with each problem whose current revision cannot be read."""
        return dict(self._trouble)

    def refresh(self) -> bool:
        """Looks what is current; whether anything is new. StoreUnavailable when the database does not say."""
        wanted = self.store.read(revisions.current_revisions)
        if wanted == {slug: problem.revision for slug, problem in self._problems.items()}:
            return False
        problems: dict[str, Problem] = {}
        trouble: dict[str, str] = {}
        for slug, revision in wanted.items():
            try:
                before = self._problems.get(slug)
                problems[slug] = before if before and before.revision == revision else self.at(slug, revision)
            except PackageError as error:
                trouble[slug] = str(error)
                if slug in self._problems:  # judge on as it was
                    problems[slug] = self._problems[slug]
        earlier, self._problems, self._trouble = self._problems, problems, trouble
        for slug, problem in problems.items():
            if slug not in earlier or earlier[slug].revision != problem.revision:
                log.info("current", problem=slug, revision=problem.revision[:12])
        return True

    # ------------------------------------------------------------------ any revision
    def at(self, slug: str, revision: str) -> Problem:
        """A problem as it was at a revision; PackageError when the store does not have it or it was damaged."""
        with self._lock:
            found = self._revisions.get((slug, revision))
            if found is not None:
                self._revisions.move_to_end((slug, revision))
                return found
            known = dict(self._files)
        manifest, contents = self.store.read(lambda c: revisions.package_at(c, slug, revision, known))
        problem = problem_at(slug, manifest, contents)  # which checks every digest
        with self._lock:
            self._revisions[slug, revision] = problem
            if len(self._revisions) > KEPT:
                self._revisions.popitem(last=False)
            self._keep(contents)
        return problem

    def _keep(self, contents: Mapping[str, bytes]) -> None:
        for digest, data in contents.items():
            self._files[digest] = data
            self._files.move_to_end(digest)
        size = sum(len(data) for data in self._files.values())
        while size > KEPT_BYTES:
            size -= len(self._files.popitem(last=False)[1])
