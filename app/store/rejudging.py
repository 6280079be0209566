"""Rejudging: every submission of a problem once more, beside what counts, then all of it or nothing. Trusted side.

    begin ─► judged like everything else, at the lowest priority ─► differences ─► apply or drop

Until it is applied nobody but the instructor sees anything of it. What it replaces is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, and_, case, delete, func, insert, select, update

from app.store.accepting import Enqueue, Queued, rows_are_the_queue
from app.store.history import CURRENT
from app.store.ids import new_id
from app.store.schema import judgings, submissions

PRIORITY = -1_000_000
"""Behind everybody who waits for an answer."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far it is."""

    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Side:
    """What a judging came to."""

    verdict: str | None
    passed: int | None
    total: int | None
    revision: str


@dataclass(frozen=True, slots=True)
class Difference:
    """A submission for which it makes a difference."""

    submission: str
    user_name: str | None
    submitted_at_ms: int
    before: Side
    after: Side


def begin(
    connection: Connection,
    rejudging: str,
    problem: str,
    revision: str,
    now_ms: int,
    only: Sequence[str] | None = None,
    enqueue: Enqueue = rows_are_the_queue,
) -> int:
    """Queues every judged submission of a problem (or of these ids) once more; how many.

    A rejudging of the problem that was neither applied nor dropped, because its command was killed, is dropped.
    """
    connection.execute(delete(judgings).where(judgings.c.problem == problem, judgings.c.rejudging.is_not(None)))
    query = (
        select(submissions.c.id)
        .join(judgings, and_(judgings.c.submission == submissions.c.id, CURRENT))
        .where(submissions.c.problem == problem, submissions.c.mode == "submit", judgings.c.state == "done")
        .order_by(submissions.c.submitted_at_ms)
    )
    if only is not None:
        query = query.where(submissions.c.id.in_(only))
    rows = [
        {
            "id": new_id(),
            "submission": row.id,
            "problem": problem,
            "revision": revision,
            "state": "queued",
            "attempt": 0,
            "priority": PRIORITY,
            "current": False,
            "rejudging": rejudging,
            "queued_at_ms": now_ms,
        }
        for row in connection.execute(query)
    ]
    if rows:
        connection.execute(insert(judgings), rows)
        enqueue(connection, [Queued(row["id"], row["submission"], PRIORITY, is_rejudging=True) for row in rows])
    return len(rows)


def progress(connection: Connection, rejudging: str) -> Progress:
    """How far it is."""
    row = connection.execute(
        select(func.count(), func.coalesce(func.sum(case((judgings.c.state == "done", 1), else_=0)), 0)).where(
            judgings.c.rejudging == rejudging
        )
    ).one()
    return Progress(done=row[1], total=row[0])


def differences(connection: Connection, rejudging: str) -> list[Difference]:
    """Every submission whose verdict or number of passed cases it changes."""
    old, new = judgings.alias("old"), judgings.alias("new")
    query = (
        select(
            submissions.c.id,
            submissions.c.user_name,
            submissions.c.submitted_at_ms,
            *(each.c[name] for each in (old, new) for name in ("verdict", "passed", "total", "revision")),
        )
        .select_from(new)
        .join(submissions, submissions.c.id == new.c.submission)
        .join(old, and_(old.c.submission == submissions.c.id, old.c.current))
        .where(
            new.c.rejudging == rejudging,
            new.c.state == "done",
            (old.c.verdict != new.c.verdict) | (old.c.passed != new.c.passed) | (old.c.total != new.c.total),
        )
        .order_by(submissions.c.submitted_at_ms)
    )
    return [Difference(row[0], row[1], row[2], Side(*row[3:7]), Side(*row[7:11])) for row in connection.execute(query)]


def apply(connection: Connection, rejudging: str) -> int:
    """Makes it what counts, all at once; how many submissions. Nothing is applied before everything is judged."""
    found = progress(connection, rejudging)
    if found.done < found.total:
        return 0
    judged = select(judgings.c.submission).where(judgings.c.rejudging == rejudging)
    connection.execute(update(judgings).where(CURRENT, judgings.c.submission.in_(judged)).values(current=False))
    new = update(judgings).where(judgings.c.rejudging == rejudging)
    return connection.execute(new.values(current=True, rejudging=None)).rowcount


def drop(connection: Connection, rejudging: str) -> None:
    """As if it had never been; what is still being judged for it finds no row to store into."""
    connection.execute(delete(judgings).where(judgings.c.rejudging == rejudging))
