"""The one thread that writes, with group commit. Trusted side.

    write(operation) ─► queue ─► BEGIN IMMEDIATE, every waiting operation, COMMIT ─► futures

Whatever waits when the thread looks shares one transaction and one fsync: alone an operation waits for its own commit,
under load many share one. An operation is a function of a connection; what it returns is known only after its commit.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import OperationalError

from app.store.errors import StoreUnavailable

MAX_TOGETHER = 256
"""Operations in one transaction: enough that the fsync no longer counts, and nobody waits for a thousand others."""

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class _Waiting:
    operation: Callable[[Connection], Any]
    done: Future[Any]


class Writer:
    """Runs operations one after the other in a thread of its own. Thread-safe.

    An operation may run again (a neighbour failed and took the transaction with it), so it must change nothing but the
    database.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._queue: queue.SimpleQueue[_Waiting | None] = queue.SimpleQueue()
        self.commits = 0
        self.operations = 0
        self._thread = threading.Thread(target=self._run, name="writer", daemon=True)
        self._thread.start()

    def write(self, operation: Callable[[Connection], Result]) -> Future[Result]:
        """What the operation returns, once it is durable; StoreUnavailable when the database cannot write."""
        done: Future[Result] = Future()
        self._queue.put(_Waiting(operation, done))
        return done

    def waiting(self) -> int:
        """Operations that have not begun."""
        return self._queue.qsize()

    def close(self) -> None:
        """Writes what is waiting and ends the thread."""
        self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        going_on = True
        while going_on:
            together = [self._queue.get()]
            while len(together) < MAX_TOGETHER and not self._queue.empty():
                together.append(self._queue.get())
            going_on = None not in together
            wanted = [each for each in together if each is not None and each.done.set_running_or_notify_cancel()]
            while wanted:
                wanted = self._commit(wanted)

    def _commit(self, together: list[_Waiting]) -> list[_Waiting]:
        """Writes them in one transaction; those that must be tried again without the one that failed."""
        results: list[Any] = []
        try:
            with self._engine.begin() as connection:
                for each in together:
                    results.append(each.operation(connection))  # noqa: PERF401 -- how many there are says who failed
        except OperationalError as error:
            # The disk is full, or another process holds the lock: that is true for all of them.
            for each in together:
                each.done.set_exception(_unavailable(error))
            return []
        except Exception as error:  # noqa: BLE001 -- the writer's loop: who asked is told, and the thread goes on
            if len(results) == len(together):  # the commit itself
                for each in together:
                    each.done.set_exception(error)
                return []
            together[len(results)].done.set_exception(error)
            return together[: len(results)] + together[len(results) + 1 :]
        self.commits += 1
        self.operations += len(together)
        for each, result in zip(together, results, strict=True):
            each.done.set_result(result)
        return []


def _unavailable(error: OperationalError) -> StoreUnavailable:
    unavailable = StoreUnavailable(f"The store cannot write: {error.orig}.")
    unavailable.__cause__ = error
    return unavailable
