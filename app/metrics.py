"""What GET /metrics says, in the text format of Prometheus. Trusted side.

A registry for each application, so that two of them in one process do not count together.
"""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus

from fastapi import Response
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    GCCollector,
    Histogram,
    PlatformCollector,
    ProcessCollector,
    generate_latest,
)

from app.dispatcher import Dispatcher
from app.hub import Hub
from app.store.store import Store
from judge.grade import Judge
from judge.report import Report

_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)


class Metrics:
    """Counts. Thread-safe."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        for collector in (ProcessCollector, PlatformCollector, GCCollector):
            collector(registry=self._registry)
        self._judged = Counter(
            "tensorgrade_judged", "Judgings that ended.", ["mode", "verdict"], registry=self._registry
        )
        self._refused = Counter(
            "tensorgrade_refused", "Requests that were refused, by status.", ["status"], registry=self._registry
        )
        self._again = Counter(
            "tensorgrade_judged_again", "Judgings that the grader failed and tried again.", registry=self._registry
        )
        self._judging = Histogram(
            "tensorgrade_judging_seconds",
            "From the judge's start to its report.",
            ["mode"],
            buckets=_SECONDS,
            registry=self._registry,
        )
        self._answer = Histogram(
            "tensorgrade_answer_seconds",
            "From a submission's arrival to its durable report.",
            ["mode"],
            buckets=_SECONDS,
            registry=self._registry,
        )

    def watch(self, judge: Judge, store: Store, dispatch: Dispatcher, hub: Hub) -> None:
        """Adds what is asked only when somebody looks."""
        self.watch_queue(store, dispatch, hub)
        self._gauge("zygotes_alive", "Zygotes that are alive.", lambda: judge.zygotes()[0])
        self._gauge("zygotes_wanted", "Zygotes that should be.", lambda: judge.zygotes()[1])
        self._gauge("children_idle", "Jailed processes that are armed and idle.", judge.pool.idle)

    def watch_workers(self, workers: Callable[[], int]) -> None:
        """Adds how many there are, where workers judge."""
        self._gauge("workers", "Workers that were alive a moment ago.", workers)

    def watch_queue(self, store: Store, dispatch: Dispatcher, hub: Hub) -> None:
        """Adds what there is without a judge, too."""
        self._gauge("queued", "Judgings that wait for a judge.", dispatch.queued)
        self._gauge("pending", "Judgings that wait or run.", dispatch.pending)
        self._gauge("rejudgings", "Rejudgings that wait or run, behind everybody else.", dispatch.rejudgings)
        self._gauge("expected_wait_seconds", "How long who comes now would wait.", dispatch.expected_wait_s)
        self._gauge("waited_for", "Submissions that are not done and may be waited for.", lambda: len(hub))
        self._gauge("store_waiting", "Writes that have not begun.", store.writer.waiting)
        self._gauge("store_commits", "Transactions since the start.", lambda: store.writer.commits)
        self._gauge("store_writes", "Writes in them since the start.", lambda: store.writer.operations)

    def _gauge(self, name: str, words: str, value: Callable[[], float]) -> None:
        Gauge(f"tensorgrade_{name}", words, registry=self._registry).set_function(value)

    def refused(self, status: HTTPStatus) -> None:
        """A request was refused."""
        self._refused.labels(str(status.value)).inc()

    def judged_again(self) -> None:
        """The grader failed and will try again."""
        self._again.inc()

    def judged(self, report: Report, judging_s: float, answer_s: float) -> None:
        """A report is durable."""
        self._judged.labels(report.mode, report.verdict.value if report.verdict else "none").inc()
        self._judging.labels(report.mode).observe(judging_s)
        self._answer.labels(report.mode).observe(answer_s)

    def response(self) -> Response:
        """All of it."""
        return Response(generate_latest(self._registry), media_type=CONTENT_TYPE_LATEST)
