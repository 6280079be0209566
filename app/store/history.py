"""What is read about submissions: one of them, and a browser's own. Trusted side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, and_, bindparam, or_, select, text

from app.store.schema import judgings, submissions

PAGE = 20
"""Submissions on one page of a history."""


@dataclass(frozen=True, slots=True)
class Found:
    """A submission and its current judging."""

    id: str
    problem: str
    revision: str
    mode: str
    owner: str
    source: bytes
    submitted_at_ms: int
    state: str
    report: str | None
    """JSON for the student, once it is done."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a history."""

    id: str
    problem: str
    revision: str
    state: str
    verdict: str | None
    passed: int | None
    total: int | None
    submitted_at_ms: int


@dataclass(frozen=True, slots=True)
class Page:
    """Lines, newest first, and the id before which the next page begins."""

    lines: tuple[Line, ...]
    next: str | None


CURRENT = text("judgings.current")
"""In these words, or SQLite does not use the index of the current ones."""

_JOINED = submissions.join(judgings, and_(judgings.c.submission == submissions.c.id, CURRENT))
_ONE = (
    select(
        submissions.c.id,
        submissions.c.problem,
        judgings.c.revision,
        submissions.c.mode,
        submissions.c.owner,
        submissions.c.source,
        submissions.c.submitted_at_ms,
        judgings.c.state,
        judgings.c.report,
    )
    .select_from(_JOINED)
    .where(submissions.c.id == bindparam("id"))
)
_LINES = (
    select(
        submissions.c.id,
        submissions.c.problem,
        judgings.c.revision,
        judgings.c.state,
        judgings.c.verdict,
        judgings.c.passed,
        judgings.c.total,
        submissions.c.submitted_at_ms,
    )
    .select_from(_JOINED)
    .where(submissions.c.owner == bindparam("owner"), submissions.c.mode == "submit")
    .order_by(submissions.c.submitted_at_ms.desc(), submissions.c.id.desc())
    .limit(PAGE + 1)
)
_OWNED = select(submissions.c.id).where(submissions.c.owner == bindparam("owner")).limit(1)


def found(connection: Connection, submission: str) -> Found | None:
    """A submission by its id."""
    row = connection.execute(_ONE, {"id": submission}).first()
    return None if row is None else Found(*row)


def reports(connection: Connection, ids: Sequence[str]) -> dict[str, str | None]:
    """Of each of these submissions that is kept its report, None where there is none yet."""
    query = select(judgings.c.submission, judgings.c.report).where(CURRENT, judgings.c.submission.in_(ids))
    return {row.submission: row.report for row in connection.execute(query)}


def page(connection: Connection, owner: str, problem: str | None, before: str | None) -> Page:
    """One page of an owner's submissions, runs left out. An unknown `before` is the beginning."""
    query = _LINES
    if problem is not None:
        query = query.where(submissions.c.problem == problem)
    if before is not None and (last := _moment_of(connection, before)) is not None:
        query = query.where(
            or_(
                submissions.c.submitted_at_ms < last.submitted_at_ms,
                and_(submissions.c.submitted_at_ms == last.submitted_at_ms, submissions.c.id < before),
            )
        )
    lines = tuple(Line(*row) for row in connection.execute(query, {"owner": owner}))
    return Page(lines[:PAGE], lines[PAGE - 1].id if len(lines) > PAGE else None)


def _moment_of(connection: Connection, submission: str) -> Row[Any] | None:
    query = select(submissions.c.submitted_at_ms).where(submissions.c.id == submission)
    return connection.execute(query).first()


def is_known(connection: Connection, owner: str) -> bool:
    """Whether anything of this owner is kept."""
    return connection.execute(_OWNED, {"owner": owner}).first() is not None
