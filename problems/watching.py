"""The bank that a running server serves: reloads what an author changed, keeps what was right. Trusted side.

A request asks for problems; at most once a second that compares name, size, inode and mtime_ns of every package's
files with those of the last look, and reads the packages that changed. Problems are frozen, so a submission that is
being judged finishes on the revision it started with.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

from problems.errors import PackageError
from problems.files import stamp_of
from problems.package import Problem
from problems.reading import load_problem
from problems.render import render_markdown, texts_of

LOOK_EVERY_S = 1.0
WHOLE_BANK = "."
"""The key in `Bank.trouble` for the directory itself."""

_TRIES = 3
"""A package that changes while it is read is read again: an author may be writing several cases in a row."""

Stamp = tuple[tuple[str, int, int, int], ...]


class Bank:
    """The packages of one directory. Thread-safe."""

    def __init__(self, path: Path, *, clock: Callable[[], float] = time.monotonic) -> None:
        """Reads every package. PackageError when `path` is not a readable directory; a broken package is trouble."""
        self.path = path
        self._clock = clock
        self._lock = threading.Lock()
        self._problems: dict[str, Problem] = {}
        self._trouble: dict[str, str] = {}
        self._stamps: dict[str, Stamp] = {}
        self._looked = clock()
        self._look()
        if WHOLE_BANK in self._trouble:
            raise PackageError(self._trouble[WHOLE_BANK])

    def problems(self) -> dict[str, Problem]:
        """Every problem by its slug, each at its last good revision."""
        self._look_if_due()
        return dict(self._problems)

    def get(self, slug: str) -> Problem:
        """The problem of that slug; KeyError when no package of that name has ever loaded."""
        self._look_if_due()
        return self._problems[slug]

    def trouble(self) -> dict[str, str]:
        """What is wrong with each package whose present state could not be read: slug and sentence."""
        self._look_if_due()
        return dict(self._trouble)

    def _look_if_due(self) -> None:
        # One thread looks; the others go on with what is there, so nobody waits behind a reload.
        if self._clock() - self._looked < LOOK_EVERY_S or not self._lock.acquire(blocking=False):
            return
        try:
            if self._clock() - self._looked >= LOOK_EVERY_S:
                self._looked = self._clock()
                self._look()
        finally:
            self._lock.release()

    def _look(self) -> None:
        """Replaces the dictionaries as wholes: a reader never sees one that is half changed."""
        try:
            directories = {
                entry.name: entry
                for entry in sorted(self.path.iterdir())
                if entry.is_dir() and not entry.name.startswith((".", "__"))
            }
        except OSError as error:
            self._trouble = {**self._trouble, WHOLE_BANK: f"{self.path}: the bank cannot be read: {error.strerror}."}
            return
        problems = {slug: problem for slug, problem in self._problems.items() if slug in directories}
        trouble = {slug: words for slug, words in self._trouble.items() if slug in directories}
        for slug, directory in directories.items():
            self._refresh(slug, directory, problems, trouble)
        self._stamps = {slug: stamp for slug, stamp in self._stamps.items() if slug in directories}
        self._problems, self._trouble = problems, trouble

    def _refresh(self, slug: str, directory: Path, problems: dict[str, Problem], trouble: dict[str, str]) -> None:
        for _ in range(_TRIES):
            try:
                stamp = stamp_of(directory)
            except OSError as error:
                trouble[slug] = f"{slug}: the package cannot be read: {error.strerror}."
                self._stamps.pop(slug, None)  # so that it is read again when it can be
                return
            if stamp == self._stamps.get(slug):
                return
            self._stamps[slug] = stamp
            try:
                problems[slug] = servable(directory)
                trouble.pop(slug, None)
            except PackageError as error:
                trouble[slug] = str(error)


def servable(directory: Path) -> Problem:
    """A problem that can be judged and shown; PackageError says why it cannot."""
    problem = load_problem(directory)
    if not problem.cases:
        raise PackageError("data: there are no cases yet, and nothing can be judged without; add one.")
    for where, text in texts_of(problem):
        render_markdown(text, where=where)
    return problem
