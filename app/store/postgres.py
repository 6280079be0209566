"""Opens the PostgreSQL of many machines, and brings its tables up to date. Trusted side.

    replica, command    the role that owns the tables: migrates them at start
    worker              a role with few rights (worker_grants.sql): only looks whether they are up to date

Both ends of a connection notice within seconds that the other is gone, cable or process: a judge machine that is cut
off must stop believing that its judgings are its own, and its locks must not hold up those who are left.
"""

from __future__ import annotations

from sqlalchemy import Connection, Engine, create_engine, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from app.store.database import HEAD, migrate, version
from app.store.errors import StoreError
from app.store.extra import need_the_extra

WRITERS = 8
"""Connections that write at once in one process: PostgreSQL groups their commits itself."""
READERS = 4
POOL_WAIT_S = 5.0
_NOTICE = {
    "connect_timeout": "5",
    "keepalives_idle": "5",
    "keepalives_interval": "2",
    "keepalives_count": "3",
    "tcp_user_timeout": "10000",
}
_LET_GO = "-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3"
"""The same for the server's end, which else waits two hours for a machine that is gone."""
_DO_NOT_STOP = "-c idle_in_transaction_session_timeout=15000"
"""Who writes does nothing else meanwhile. One that is frozen in the middle loses its transaction, and so its locks."""
LOCK_WAIT_S = 20.0
"""For what somebody else has locked: longer than a frozen one keeps it. Then 503, or everybody would wait for ever."""
_MIGRATING = 7305519
"""Of the advisory lock that whoever migrates holds: any number that nobody else takes."""


def read_url(text_of_url: str) -> URL:
    """The address of the database; StoreError when it is none, or the libraries are missing."""
    need_the_extra()
    try:
        return make_url(text_of_url)
    except (ArgumentError, ValueError):  # the message would repeat the password
        raise StoreError(
            "TENSORGRADE_DATABASE_URL is no address; write postgresql+psycopg://user:password@host/database."
        ) from None


def conninfo(url: URL) -> str:
    """The same address for psycopg itself, with everything that makes it notice who is gone."""
    # Here, not above: it is what `read_url` makes sure is installed.
    from psycopg.conninfo import make_conninfo  # noqa: PLC0415

    # Not as a URL: libpq takes a plus, by which SQLAlchemy writes a space, for a plus.
    address = url.translate_connect_args(database="dbname", username="user")
    return make_conninfo(**{**_NOTICE, "options": _LET_GO, **url.query, **address})


def open_engine(url: URL, *, write: bool) -> Engine:
    """Connections to write, or to read in one snapshot each."""
    options = f"{_LET_GO} -c lock_timeout={LOCK_WAIT_S * 1000:.0f}"
    return create_engine(
        url.update_query_dict({**_NOTICE, "options": f"{options} {_DO_NOT_STOP}" if write else options, **url.query}),
        hide_parameters=True,  # errors are logged: no source, no name, no key of a student in them
        pool_size=WRITERS if write else READERS,
        max_overflow=0,
        pool_timeout=POOL_WAIT_S,
        pool_pre_ping=True,
        isolation_level="READ COMMITTED" if write else "REPEATABLE READ",
        connect_args={"application_name": "tensorgrade"},
    )


def bring_up_to_date(engine: Engine, *, owner: bool) -> None:
    """Runs the migrations that the database lacks, one process at a time. StoreError when it cannot be used."""
    try:
        with engine.begin() as connection:
            if owner:
                connection.execute(text("SET LOCAL lock_timeout = 0"))  # another server may migrate for minutes
                connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": _MIGRATING})
            _check_encoding(connection)
            if (found := version(connection, _where(engine.url))) != HEAD:
                if not owner:
                    raise StoreError(
                        f"{_where(engine.url)} has its tables at {found or 'no version'}, this release needs {HEAD}: "
                        "start tensorgrade serve of this release once, which brings them up to date."
                    )
                migrate(connection)
    except (DBAPIError, PoolTimeoutError) as error:
        why = str(getattr(error, "orig", error)).strip().replace("\n", " ")
        raise StoreError(f"{_where(engine.url)} cannot be used: {why}; see TENSORGRADE_DATABASE_URL.") from error


def _check_encoding(connection: Connection) -> None:
    encoding = connection.execute(text("SHOW server_encoding")).scalar_one()
    if encoding != "UTF8":
        raise StoreError(
            f"{_where(connection.engine.url)} is encoded as {encoding}; reports need UTF8: "
            "createdb --encoding UTF8 --template template0."
        )


def _where(url: URL) -> str:
    """How the database is called in errors: never with its password."""
    return f"The database {url.database} on {url.host or 'this machine'}{f':{url.port}' if url.port else ''}"
