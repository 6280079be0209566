"""The store of one data directory: an engine that reads, a thread that writes. Trusted side."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from app.store.database import bring_up_to_date, open_engine
from app.store.errors import StoreError, StoreUnavailable
from app.store.writer import Writer

Result = TypeVar("Result")


class Store:
    """Open while it is entered. Thread-safe. StoreError when the directory or the database cannot be used."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def __enter__(self) -> Self:
        try:
            self._directory.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(
                f"The data directory {self._directory} cannot be used: {error.strerror}; "
                "set TENSORGRADE_DATA_DIR to a directory of yours."
            ) from error
        self._writing = open_engine(self._directory, write=True)
        self._reading = open_engine(self._directory, write=False)
        try:
            bring_up_to_date(self._writing)
        except BaseException:
            self._writing.dispose()
            raise
        self.writer = Writer(self._writing)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.writer.close()
        self._reading.dispose()
        self._writing.dispose()

    def begin(self, operation: Callable[[Connection], Result]) -> Future[Result]:
        """Has it written; the future ends when it is durable, or with StoreUnavailable."""
        return self.writer.write(operation)

    def write(self, operation: Callable[[Connection], Result]) -> Result:
        """Writes, and waits until it is durable."""
        return self.writer.write(operation).result()

    def read(self, query: Callable[[Connection], Result]) -> Result:
        """What the query finds, in one snapshot of the database."""
        try:
            with self._reading.connect() as connection:
                return query(connection)
        except (DBAPIError, PoolTimeoutError) as error:
            raise StoreUnavailable(f"The store cannot be read: {error}.") from error
