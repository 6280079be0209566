"""Judgings: claim, store, recover. Trusted side.

    queued ──claim──► judging ──store──► done
       ▲                 │
       └──put back, restart

A claim counts the attempt up, and whoever stores must still hold that number: of two that judge the same, one stores.
Attempts count how often a process took it and did not end it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, Row, bindparam, delete, insert, select, text, update

from app.store.schema import case_results, judgings, submissions

UNCLAIMED = 0
"""The attempt of a judging that nobody claimed. The process that accepted it judges it as that, without a claim of its
own, since nobody else looks there: one commit less for each submission."""
MAX_ATTEMPTS = 3
"""A submission that took the grader down this often is not tried again: it is a judge_error."""


@dataclass(frozen=True, slots=True)
class Claim:
    """The right to judge, and what there is to judge."""

    attempt: int
    submission: str
    problem: str
    revision: str
    mode: str
    source: bytes
    own: str | None
    submitted_at_ms: int


@dataclass(frozen=True, slots=True)
class CaseRow:
    """One case of a finished judging."""

    case: str
    verdict: str | None
    reason: str | None
    time_ms: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came out of a judging."""

    verdict: str | None
    reason: str | None
    passed: int
    total: int
    mistake: str | None
    report: str
    """JSON for the student."""
    judged_at_ms: int
    cases: tuple[CaseRow, ...]


@dataclass(frozen=True, slots=True)
class Waiting:
    """A judging that waits for its turn."""

    judging: str
    submission: str
    priority: int
    client: str | None
    """On whom it counts; None for a rejudging."""


_CLAIM = (
    update(judgings)
    .where(judgings.c.id == bindparam("judging_id"), judgings.c.state.in_(("queued", "judging")))
    .values(state="judging", attempt=judgings.c.attempt + 1)
    .returning(judgings.c.attempt, judgings.c.submission, judgings.c.problem, judgings.c.revision)
)
_SUBMITTED = select(submissions.c.mode, submissions.c.source, submissions.c.own, submissions.c.submitted_at_ms).where(
    submissions.c.id == bindparam("submission_id")
)
_MINE = (
    judgings.c.id == bindparam("judging_id"),
    judgings.c.attempt == bindparam("mine"),
    judgings.c.state != "done",
)
_STORE = (
    update(judgings)
    .where(*_MINE)
    .values(
        state="done",
        client=None,
        verdict=bindparam("new_verdict"),
        reason=bindparam("new_reason"),
        passed=bindparam("new_passed"),
        total=bindparam("new_total"),
        mistake=bindparam("new_mistake"),
        report=bindparam("new_report"),
        judged_at_ms=bindparam("new_judged_at_ms"),
    )
)
_CASES = insert(case_results)
_PUT_BACK = update(judgings).where(*_MINE).values(state="queued", attempt=judgings.c.attempt - 1)
_WAITING = (
    select(judgings.c.id, judgings.c.submission, judgings.c.priority, judgings.c.client)
    .where(text("judgings.state <> 'done'"), judgings.c.state == "queued")
    .order_by(judgings.c.priority.desc(), judgings.c.queued_at_ms)
)


def claim(connection: Connection, judging: str) -> Claim | None:
    """Takes a judging; None when it is done or gone."""
    row = connection.execute(_CLAIM, {"judging_id": judging}).first()
    if row is None:
        return None
    sent = connection.execute(_SUBMITTED, {"submission_id": row.submission}).one()
    return Claim(
        row.attempt,
        row.submission,
        row.problem,
        row.revision,
        sent.mode,
        sent.source,
        sent.own,
        sent.submitted_at_ms,
    )


def store(connection: Connection, judging: str, attempt: int, outcome: Outcome) -> bool:
    """Keeps what came out. False when another attempt owns the judging by now, or it is gone: nothing was changed."""
    stored = connection.execute(
        _STORE,
        {
            "judging_id": judging,
            "mine": attempt,
            "new_verdict": outcome.verdict,
            "new_reason": outcome.reason,
            "new_passed": outcome.passed,
            "new_total": outcome.total,
            "new_mistake": outcome.mistake,
            "new_report": outcome.report,
            "new_judged_at_ms": outcome.judged_at_ms,
        },
    )
    if stored.rowcount != 1:
        return False
    if outcome.cases:
        connection.execute(
            _CASES,
            [
                {
                    "judging": judging,
                    "position": position,
                    "case": row.case,
                    "verdict": row.verdict,
                    "reason": row.reason,
                    "time_ms": row.time_ms,
                }
                for position, row in enumerate(outcome.cases)
            ],
        )
    return True


def put_back(connection: Connection, judging: str, attempt: int) -> bool:
    """Gives a judging back to be judged again later, as if this attempt had not been."""
    return connection.execute(_PUT_BACK, {"judging_id": judging, "mine": attempt}).rowcount == 1


def recover(connection: Connection) -> int:
    """After a start: whoever was judging is gone. How many were left in the middle."""
    left = update(judgings).where(text("judgings.state <> 'done'"), judgings.c.state == "judging")
    return connection.execute(left.values(state="queued")).rowcount


def waiting(connection: Connection) -> list[Waiting]:
    """Every judging that waits, in the order in which they should be judged."""
    return [Waiting(*row) for row in connection.execute(_WAITING)]


def forget(connection: Connection, before_ms: int, mode: str | None, limit: int) -> int:
    """Deletes the oldest submissions from before then, and all that hangs on them; how many. Pending ones stay."""
    pending = select(judgings.c.submission).where(text("judgings.state <> 'done'"))
    old = select(submissions.c.id).where(submissions.c.submitted_at_ms < before_ms, submissions.c.id.not_in(pending))
    if mode is not None:
        old = old.where(submissions.c.mode == mode)
    ids: Sequence[Row[tuple[str]]] = connection.execute(old.order_by(submissions.c.submitted_at_ms).limit(limit)).all()
    if ids:
        connection.execute(delete(submissions).where(submissions.c.id.in_([row.id for row in ids])))
    return len(ids)
