"""The queue of many machines: procrastinate's jobs, one for each judging that somebody must run. Trusted side.

    transaction that keeps a judging ── defer ──► job ──► any worker

A job is written in the transaction of its judging, on the same connection: there is none without the other. What a
judging came to is in our tables alone, so a job that has ended is deleted, and one that is lost can be made again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from procrastinate import App, SyncPsycopgConnector
from procrastinate.exceptions import AlreadyEnqueued
from procrastinate.jobs import Job
from psycopg import Connection as PsycopgConnection
from sqlalchemy import Connection, text

from app.store.accepting import Queued

QUEUE = "judging"
TASK = "judge"
ALIVE_S = 10
"""A worker that said nothing for so long is not counted."""


@dataclass(frozen=True, slots=True)
class Load:
    """How much there is to do, over all machines."""

    queued: int
    """Students' judgings that nobody runs."""
    rejudgings: int
    """Rejudgings that are not done."""
    oldest_ms: int | None
    """Since when the oldest one waits for a worker that nobody else of its client is before. Not one that its worker
    tries again: a single sick worker would have every server refuse."""
    workers: int


class Jobs:
    """Writes jobs. Thread-safe; holds no connection of its own."""

    def __init__(self) -> None:
        # It is never opened: every query comes with the connection of the caller's transaction.
        self._manager = App(connector=SyncPsycopgConnector()).job_manager

    def defer(self, connection: Connection, queued: Sequence[Queued]) -> None:
        """Has these judged, if the transaction of this connection commits."""
        if queued:
            self._manager.batch_defer_jobs([_job(each) for each in queued], _driver(connection))

    def defer_again(self, connection: Connection, queued: Queued) -> bool:
        """The same for one that may have a job by now: then nothing happens."""
        try:
            with connection.begin_nested():
                self.defer(connection, [queued])
        except AlreadyEnqueued:
            return False
        return True


def _driver(connection: Connection) -> PsycopgConnection:
    driver = connection.connection.driver_connection
    assert isinstance(driver, PsycopgConnection)  # noqa: S101 -- for the type checker
    return driver


def _job(queued: Queued) -> Job:
    return Job(
        queue=QUEUE,
        task_name=TASK,
        priority=queued.priority,
        lock=None,
        # Of jobs that wait there is one for each judging.
        queueing_lock=queued.judging,
        task_kwargs={
            "judging": queued.judging,
            "submission": queued.submission,
            "rejudging": queued.is_rejudging,
        },
    )


_JOBLESS = text(
    """
    SELECT judgings.id, judgings.submission, judgings.priority, NOT judgings.current AS is_rejudging
    FROM judgings
    WHERE judgings.state <> 'done' AND judgings.queued_at_ms < :before_ms
      AND NOT EXISTS (
        SELECT 1 FROM procrastinate_jobs jobs
        WHERE jobs.queueing_lock = judgings.id AND jobs.status IN ('todo', 'doing')
      )
    LIMIT 500
    """
)
_LOAD = text(
    f"""
    SELECT
      count(*) FILTER (WHERE judgings.state = 'queued' AND judgings.current) AS queued,
      count(*) FILTER (WHERE NOT judgings.current) AS rejudgings,
      min(judgings.queued_at_ms)
        FILTER (WHERE judgings.state = 'queued' AND judgings.current AND judgings.priority = 0 AND EXISTS (
          SELECT 1 FROM procrastinate_jobs jobs WHERE jobs.queueing_lock = judgings.id AND jobs.status = 'todo'
        )) AS oldest_ms,
      (SELECT count(*) FROM procrastinate_workers
       WHERE last_heartbeat > now() - interval '{ALIVE_S} seconds') AS workers
    FROM judgings WHERE judgings.state <> 'done'
    """  # noqa: S608 -- a number of ours
)


def jobless(connection: Connection, before_ms: int) -> list[Queued]:
    """Judgings from before then that are not done and that no job points to."""
    return [Queued(*row) for row in connection.execute(_JOBLESS, {"before_ms": before_ms})]


def load(connection: Connection) -> Load:
    """How much there is to do."""
    return Load(*connection.execute(_LOAD).one())
