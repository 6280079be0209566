"""One process at a time judges from a data directory. Trusted side.

The lock is the kernel's (flock on a file): it ends with the process however that ends, so there is no stale lock to
remove. The file holds the pid for whoever is refused.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from pathlib import Path
from types import TracebackType
from typing import Self

from app.store.errors import DirectoryInUse, StoreError

FILE = "lock"


class DirectoryLock:
    """Held while it is entered. DirectoryInUse names the pid of the other process."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._descriptor: int | None = None

    def __enter__(self) -> Self:
        try:
            self._directory.mkdir(parents=True, exist_ok=True)
            self._descriptor = os.open(self._directory / FILE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise StoreError(
                f"The data directory {self._directory} cannot be used: {error.strerror}; "
                "set TENSORGRADE_DATA_DIR to a directory of yours."
            ) from error
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise self._in_use() from None
        with contextlib.suppress(OSError):  # a full disk: the lock holds, only its words are missing
            os.ftruncate(self._descriptor, 0)
            os.pwrite(self._descriptor, f"{os.getpid()}\n".encode(), 0)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()

    def _close(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def _in_use(self) -> DirectoryInUse:
        assert self._descriptor is not None  # noqa: S101 -- for the type checker
        written = os.pread(self._descriptor, 32, 0).decode("ascii", "replace").strip()
        self._close()
        pid = int(written) if written.isdigit() else None
        who = f"process {pid}" if pid is not None else "another process"
        return DirectoryInUse(
            f"The data directory {self._directory} is in use by {who}: stop it, or set TENSORGRADE_DATA_DIR to "
            "another directory.",
            pid,
        )
