"""What an instructor asks: every submission as a row, and how a problem goes. Trusted side."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, Select, and_, case, func, select

from app.store.history import CURRENT
from app.store.schema import case_results, judgings, submissions


@dataclass(frozen=True, slots=True)
class Exported:
    """One submission."""

    id: str
    owner: str
    user_name: str | None
    problem: str
    revision: str
    submitted_at_ms: int
    judged_at_ms: int | None
    state: str
    verdict: str | None
    passed: int | None
    total: int | None
    mistake: str | None


@dataclass(frozen=True, slots=True)
class CaseStatistics:
    """How a case goes, over the submissions that count."""

    case: str
    judged: int
    passed: int
    skipped: int


@dataclass(frozen=True, slots=True)
class Count:
    """How often something came, and of how many students."""

    name: str
    submissions: int
    students: int


@dataclass(frozen=True, slots=True)
class Statistics:
    """How a problem goes."""

    submissions: int
    students: int
    solved: int
    """Students with an accepted submission."""
    verdicts: tuple[Count, ...]
    mistakes: tuple[Count, ...]
    """Most common first."""
    cases: tuple[CaseStatistics, ...]


_COUNTING = submissions.join(judgings, and_(judgings.c.submission == submissions.c.id, CURRENT))


def exported(connection: Connection, problem: str | None) -> Iterator[Exported]:
    """Every submission, oldest first; runs left out."""
    query = (
        select(
            submissions.c.id,
            submissions.c.owner,
            submissions.c.user_name,
            submissions.c.problem,
            judgings.c.revision,
            submissions.c.submitted_at_ms,
            judgings.c.judged_at_ms,
            judgings.c.state,
            judgings.c.verdict,
            judgings.c.passed,
            judgings.c.total,
            judgings.c.mistake,
        )
        .select_from(_COUNTING)
        .where(submissions.c.mode == "submit")
        .order_by(submissions.c.submitted_at_ms, submissions.c.id)
    )
    if problem is not None:
        query = query.where(submissions.c.problem == problem)
    rows: Iterator[Row[*tuple[Any, ...]]] = iter(connection.execute(query.execution_options(yield_per=500)))
    for row in rows:
        yield Exported(*row)


def statistics(connection: Connection, problem: str) -> Statistics:
    """How a problem goes."""
    total: Row[*tuple[Any, ...]] = connection.execute(
        _of(problem, func.count(), func.count(submissions.c.owner.distinct()), func.count(_SOLVER.distinct()))
    ).one()
    passed = func.sum(case((case_results.c.verdict == "accepted", 1), else_=0))
    skipped = func.sum(case((case_results.c.verdict == "skipped", 1), else_=0))
    by_case = _of(problem, case_results.c.case, func.count(), passed, skipped)
    by_case = by_case.join(case_results, case_results.c.judging == judgings.c.id)
    rows = connection.execute(by_case.group_by(case_results.c.case).order_by(case_results.c.case))
    return Statistics(
        submissions=total[0],
        students=total[1],
        solved=total[2],
        verdicts=_counted(connection, problem, judgings.c.verdict),
        mistakes=_counted(connection, problem, judgings.c.mistake),
        cases=tuple(CaseStatistics(row[0], row[1], row[2], row[3]) for row in rows),
    )


_SOLVER = case((judgings.c.verdict == "accepted", submissions.c.owner))


def _of(problem: str, *columns: Any) -> Select[*tuple[Any, ...]]:  # noqa: ANN401 -- SQLAlchemy's own type for columns
    return (
        select(*columns)
        .select_from(_COUNTING)
        .where(submissions.c.problem == problem, submissions.c.mode == "submit", judgings.c.state == "done")
    )


def _counted(connection: Connection, problem: str, column: Any) -> tuple[Count, ...]:  # noqa: ANN401 -- the same
    count = func.count()
    query = _of(problem, column, count, func.count(submissions.c.owner.distinct())).where(column.is_not(None))
    rows: list[Row[*tuple[Any, ...]]] = list(
        connection.execute(query.group_by(column).order_by(count.desc(), column)).all()
    )
    return tuple(Count(row[0], row[1], row[2]) for row in rows)
