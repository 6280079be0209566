"""Opens the database, and brings its tables up to date. Trusted side.

SQLite in WAL mode with synchronous=FULL: a commit that was reported survives a power cut. Writers begin with BEGIN
IMMEDIATE, so that they wait for the lock at the start and never fail in the middle.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from sqlite3 import Connection as SqliteConnection

from sqlalchemy import Connection, Engine, create_engine, event, inspect, text
from sqlalchemy.exc import DBAPIError

from app.store.errors import StoreError, StoreUnavailable

FILE = "tensorgrade.sqlite3"
HEAD = "0002"
"""The newest migration: a database that has it needs no other."""
BUSY_MS = 5000
"""How long to wait for somebody else's write: `rejudge` and a backup hold the lock for milliseconds."""
READERS = 4
_PRAGMAS = (
    "journal_mode = WAL",
    "synchronous = FULL",
    "foreign_keys = ON",
    f"busy_timeout = {BUSY_MS}",
)
_MIGRATIONS = Path(__file__).with_name("migrations")


def open_engine(directory: Path, *, write: bool) -> Engine:
    """The database in a data directory; it is made when it is not there. One connection to write, several to read."""
    engine = create_engine(
        f"sqlite:///{directory / FILE}",
        pool_size=1 if write else READERS,
        max_overflow=0,
        pool_timeout=BUSY_MS / 1000,
        hide_parameters=True,  # errors are logged: no source, no name, no key of a student in them
        connect_args={"check_same_thread": False},
    )
    begin = "BEGIN IMMEDIATE" if write else "BEGIN"

    @event.listens_for(engine, "connect")
    def _set_up(connection: SqliteConnection, _: object) -> None:
        connection.isolation_level = None  # the driver begins nothing by itself
        for pragma in _PRAGMAS:
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine


@contextmanager
def unavailable_when_it_fails() -> Iterator[None]:
    """Turns what the database raises into StoreUnavailable."""
    try:
        yield
    except DBAPIError as error:
        raise StoreUnavailable(f"The store failed: {error.orig}.") from error


def bring_up_to_date(engine: Engine) -> None:
    """Runs the migrations that the database lacks; StoreError when a newer release wrote it or it cannot be used."""
    try:
        with engine.begin() as connection:
            if version(connection, str(engine.url.database)) != HEAD:
                migrate(connection)
    except DBAPIError as error:
        raise StoreError(
            f"{engine.url.database} cannot be used: {error.orig}; set TENSORGRADE_DATA_DIR to a directory of yours."
        ) from error


def version(connection: Connection, where: str) -> str | None:
    """At which migration the tables are, None when there are none; StoreError when a newer release wrote them."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    if found is not None and not any((_MIGRATIONS / "versions").glob(f"v{found}_*.py")):
        raise StoreError(
            f"{where} was written by a newer release (its tables are at {found}, this release "
            f"knows {HEAD}); install that release or restore a backup."
        )
    return found


def migrate(connection: Connection) -> None:
    """Runs every migration that is missing, in the transaction of this connection."""
    # Here, not above: importing Alembic takes longer than opening a database that needs no migration.
    from alembic import command  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))  # it interpolates
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
