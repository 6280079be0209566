"""How a submission comes in: one transaction that counts, refuses or keeps. Trusted side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, bindparam, func, insert, select, text, update

from app.store.judgings import UNCLAIMED
from app.store.schema import judgings, submissions

PENDING = text("judgings.state <> 'done'")
"""In these words, or SQLite does not use the index of the pending."""


@dataclass(frozen=True, slots=True)
class NewSubmission:
    """A submission that wants to be kept, with its first judging."""

    id: str
    judging: str
    problem: str
    revision: str
    mode: str
    source: bytes
    own: str | None
    owner: str
    user_name: str | None
    came_alone: bool
    key: str | None
    body_sha256: bytes
    submitted_at_ms: int
    client: str
    """On whom it counts while it is pending."""
    max_pending: int
    share: int
    """For how many the client stands: an address for a hall of students."""


@dataclass(frozen=True, slots=True)
class Queued:
    """A judging that somebody must run."""

    judging: str
    submission: str
    priority: int
    is_rejudging: bool = False


Enqueue = Callable[[Connection, Sequence[Queued]], None]
"""Puts judgings into a queue, in the transaction that keeps them."""


def rows_are_the_queue(_: Connection, __: Sequence[Queued]) -> None:
    """For one machine: the process that keeps a judging also runs it, and finds it among the rows after a start."""


@dataclass(frozen=True, slots=True)
class Kept:
    """It is durable."""

    priority: int
    """Minus the client's other pending ones, so that who floods waits behind everybody else."""


@dataclass(frozen=True, slots=True)
class KeptBefore:
    """A submission of the same key and body is there."""

    id: str


@dataclass(frozen=True, slots=True)
class OtherBody:
    """The key belongs to a submission with another body."""


@dataclass(frozen=True, slots=True)
class TooManyPending:
    """The client has as many pending as it may have."""

    pending: int


Answer = Kept | KeptBefore | OtherBody | TooManyPending

_BY_KEY = select(submissions.c.id, submissions.c.owner, submissions.c.body_sha256).where(
    submissions.c.idempotency_key == bindparam("key")
)
_BY_OWN_KEY = _BY_KEY.where(submissions.c.owner == bindparam("owner"))
_BY_LONE_KEY = _BY_KEY.where(text("submissions.came_alone"))
_PENDING_OF = select(func.count()).select_from(judgings).where(judgings.c.client == bindparam("client"), PENDING)
_ONE_AT_A_TIME = text(
    "SELECT pg_advisory_xact_lock(1, hashtext(:client)), pg_advisory_xact_lock(2, hashtext(coalesce(:key, :id)))"
)
"""Of one client, and of one key, a single transaction goes on: two servers would count, or look, past each other."""
_NEW_SUBMISSION = insert(submissions)
_NEW_JUDGING = insert(judgings)


def accept(connection: Connection, new: NewSubmission, enqueue: Enqueue = rows_are_the_queue) -> Answer:
    """Keeps the submission, or says why not. A key that was used before gives the submission that used it."""
    if connection.dialect.name == "postgresql":
        connection.execute(_ONE_AT_A_TIME, {"client": new.client, "key": new.key, "id": new.id})
    if new.key is not None and (before := _of_same_key(connection, new)):
        return before
    pending = connection.execute(_PENDING_OF, {"client": new.client}).scalar_one()
    if pending >= new.max_pending * new.share:
        return TooManyPending(pending)
    connection.execute(
        _NEW_SUBMISSION,
        {
            "id": new.id,
            "problem": new.problem,
            "revision": new.revision,
            "mode": new.mode,
            "source": new.source,
            "own": new.own,
            "owner": new.owner,
            "user_name": new.user_name,
            "came_alone": new.came_alone,
            "idempotency_key": new.key,
            "body_sha256": new.body_sha256 if new.key is not None else None,
            "submitted_at_ms": new.submitted_at_ms,
        },
    )
    priority = -(pending // new.share)
    connection.execute(
        _NEW_JUDGING,
        {
            "id": new.judging,
            "submission": new.id,
            "problem": new.problem,
            "revision": new.revision,
            "state": "queued",
            "attempt": UNCLAIMED,
            "priority": priority,
            "current": True,
            "client": new.client,
            "queued_at_ms": new.submitted_at_ms,
        },
    )
    enqueue(connection, [Queued(new.judging, new.id, priority)])
    return Kept(priority)


def _of_same_key(connection: Connection, new: NewSubmission) -> KeptBefore | OtherBody | None:
    by_key = _BY_LONE_KEY if new.came_alone else _BY_OWN_KEY
    row = connection.execute(by_key, {"key": new.key, "owner": new.owner}).first()
    if row is None:
        return None
    if row.body_sha256 != new.body_sha256:
        return OtherBody()
    if row.owner != new.owner:
        # Sent again because the first answer, with its cookie, never arrived: it belongs in the new cookie's history.
        connection.execute(update(submissions).where(submissions.c.id == row.id).values(owner=new.owner))
    return KeptBefore(row.id)
