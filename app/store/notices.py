"""What processes on many machines tell each other through PostgreSQL: hints, which may get lost. Trusted side.

    worker ── send ──► NOTIFY ──► hear ── every replica

Whoever hears nothing looks into the tables every two seconds. So a notice may be left out when it is too large, and
nobody needs one that was sent while it was away.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass

import psycopg
from pydantic import TypeAdapter
from sqlalchemy import Connection, text

from app.store.database import unavailable_when_it_fails
from app.store.errors import StoreUnavailable
from app.store.postgres import conninfo, read_url

CHANNEL = "tensorgrade"
MAX_BYTES = 7900
"""Of one notice; PostgreSQL takes less than 8000."""
IDS_TOGETHER = 300

_SEND = text("SELECT pg_notify(:channel, :payload)")


@dataclass(frozen=True, slots=True)
class Ended:
    """These submissions have a report."""

    submissions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CaseEnded:
    """One case of a submission is finished."""

    submission: str
    number: int
    """1 for the first."""
    case: str
    json: str
    """What the student may see of it."""


@dataclass(frozen=True, slots=True)
class BankChanged:
    """A problem was published."""


Notice = Ended | CaseEnded | BankChanged
_KINDS: dict[str, TypeAdapter[Notice]] = {kind.__name__: TypeAdapter(kind) for kind in (Ended, CaseEnded, BankChanged)}


def to_payload(notice: Notice) -> str | None:
    """As it travels; None when it is too large for that."""
    payload = json.dumps({"kind": type(notice).__name__, **asdict(notice)}, ensure_ascii=False, separators=(",", ":"))
    return payload if len(payload.encode()) <= MAX_BYTES else None


def from_payload(payload: str) -> Notice | None:
    """What was sent; None when another release sent it, or somebody else: every role may send anything."""
    try:
        members = json.loads(payload)
        return _KINDS[members["kind"]].validate_python(members)
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def send(connection: Connection, notice: Notice) -> bool:
    """Tells everybody, if the transaction of this connection commits. Whether it was small enough.

    StoreUnavailable whatever the reason, a missing right too: a hint that cannot be sent is no bug of who sends it.
    """
    payload = to_payload(notice)
    if payload is not None:
        with unavailable_when_it_fails():
            connection.execute(_SEND, {"channel": CHANNEL, "payload": payload})
    return payload is not None


class Ear:
    """Hears what is sent while it is open."""

    def __init__(self, connection: psycopg.Connection) -> None:
        self._connection = connection

    def hear(self, wait_s: float) -> Iterator[Notice]:
        """What was sent since the last time, all at once; waits so long for the first."""
        try:
            for notice in self._connection.notifies(timeout=wait_s, stop_after=1):
                if notice.channel == CHANNEL and (found := from_payload(notice.payload)) is not None:
                    yield found
        except psycopg.Error as error:
            raise StoreUnavailable(f"The database no longer answers: {error}") from error


@contextmanager
def listen(url: str) -> Iterator[Ear]:
    """A connection of its own that hears; StoreUnavailable when there is none."""
    try:
        connection = psycopg.connect(conninfo(read_url(url)), autocommit=True, application_name="tensorgrade-listener")
    except psycopg.Error as error:
        raise StoreUnavailable(f"The database does not answer: {error}") from error
    with connection:
        try:
            connection.execute(f"LISTEN {CHANNEL}")
        except psycopg.Error as error:
            raise StoreUnavailable(f"The database does not answer: {error}") from error
        yield Ear(connection)
