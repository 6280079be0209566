"""Threads that write, each operation in a transaction of its own. Trusted side; for PostgreSQL.

PostgreSQL takes many writers at once and groups their commits by itself, so there is no queue that shares one
transaction as in `writer`; otherwise it promises the same.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, ProgrammingError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from app.store.errors import StoreUnavailable

_OURS = (DataError, IntegrityError, ProgrammingError)
"""What another attempt would not change: a bug, or a right that is missing."""

Result = TypeVar("Result")


class Writers:
    """Runs operations side by side. Thread-safe."""

    def __init__(self, engine: Engine, threads: int) -> None:
        self._engine = engine
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="writer")
        self._begun = 0
        self._asked = 0
        self.commits = 0

    @property
    def operations(self) -> int:
        return self.commits

    def write(self, operation: Callable[[Connection], Result]) -> Future[Result]:
        """What the operation returns, once it is durable; StoreUnavailable when the database cannot write."""
        self._asked += 1
        return self._pool.submit(self._run, operation)

    def waiting(self) -> int:
        """Operations that have not begun."""
        return max(0, self._asked - self._begun)

    def close(self) -> None:
        """Writes what is waiting and ends the threads."""
        self._pool.shutdown()

    def _run(self, operation: Callable[[Connection], Result]) -> Result:
        self._begun += 1
        try:
            with self._engine.begin() as connection:
                result = operation(connection)
        except _OURS:
            raise
        except DBAPIError as error:
            raise StoreUnavailable(f"The store cannot write: {error.orig}.") from error
        except PoolTimeoutError as error:
            raise StoreUnavailable("The store cannot write: every connection is busy.") from error
        self.commits += 1
        return result
