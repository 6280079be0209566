"""The store: engines that read and write, and the threads that write. Trusted side.

Of one data directory, or of the PostgreSQL that many machines share; whoever asks it cannot tell them apart.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from app.store import database
from app.store.errors import StoreError, StoreUnavailable
from app.store.writer import Writer
from app.store.writers import Writers

Result = TypeVar("Result")


class Store:
    """Open while it is entered. Thread-safe. StoreError when the directory or the database cannot be used."""

    writer: Writer | Writers
    """What writes; its figures are for /metrics."""

    def __init__(self, directory: Path, url: str | None = None, *, owner: bool = True) -> None:
        """The store of a data directory; with an address that of a PostgreSQL. Only its `owner` makes its tables."""
        self._directory = directory
        self.url = url
        self._owner = owner

    def __enter__(self) -> Self:
        if self.url is None:
            self._open_directory()
        else:
            self._open_postgres(self.url)
        return self

    def _open_directory(self) -> None:
        try:
            self._directory.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(
                f"The data directory {self._directory} cannot be used: {error.strerror}; "
                "set TENSORGRADE_DATA_DIR to a directory of yours."
            ) from error
        self._writing = database.open_engine(self._directory, write=True)
        self._reading = database.open_engine(self._directory, write=False)
        self._prepare(database.bring_up_to_date)
        self.writer = Writer(self._writing)

    def _open_postgres(self, address: str) -> None:
        # Here, not above: one machine has no use for it, and it may not even be installed.
        from app.store import postgres  # noqa: PLC0415

        url = postgres.read_url(address)
        self._writing = postgres.open_engine(url, write=True)
        self._reading = postgres.open_engine(url, write=False)
        self._prepare(lambda engine: postgres.bring_up_to_date(engine, owner=self._owner))
        self.writer = Writers(self._writing, postgres.WRITERS)

    def _prepare(self, bring_up_to_date: Callable[[Engine], None]) -> None:
        try:
            bring_up_to_date(self._writing)
        except BaseException:
            self._writing.dispose()
            raise

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
