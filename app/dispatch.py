"""How a submission gets from a request to the judge and back: in this process, in worker threads. Trusted side.

    Dispatch.judged(submission)     waits for the report
    Dispatch.events(submission)     the same, with each case as it finishes; None now and then while nothing happens

Everything that wants a verdict over HTTP comes through here, so what is kept about a submission has one place.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from types import TracebackType
from typing import Self

import structlog

from app.admission import Places
from app.submission import Submission
from judge.grade import Judge
from judge.report import CaseResult, Report

PLACES = 128
"""In flight at once, waiting ones included: at 60 submissions a second the last one waits about two seconds; each holds
at most a body of 1 MiB."""
KEEP_ALIVE_S = 15.0
"""Proxies close connections that are silent for 30 to 60 s."""

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Judged:
    """A report, and when it was made."""

    report: Report
    judged_at: datetime


Events = AsyncGenerator[CaseResult | Judged | None]
"""What happens to one submission: its cases as they finish, at last Judged; None is a sign of life."""


class Dispatch:
    """Runs submissions on a judge. A context manager: leaving it waits for what is being judged."""

    def __init__(self, judge: Judge, threads: int) -> None:
        self._judge = judge
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="judging")
        self._places = Places(PLACES)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._threads.shutdown(wait=True, cancel_futures=True)

    async def judged(self, submission: Submission) -> Judged:
        """The report; Refusal when no place is free, JudgeError when the judge itself fails."""
        return await asyncio.wrap_future(self._start(submission, None))

    def events(self, submission: Submission) -> Events:
        """Starts at once (Refusal when no place is free) and yields as things happen; Judged is the last."""
        loop = asyncio.get_running_loop()
        happened: asyncio.Queue[CaseResult | None] = asyncio.Queue()

        def tell(result: CaseResult | None) -> None:
            with suppress(RuntimeError):  # the loop is closed: nobody listens any more
                loop.call_soon_threadsafe(happened.put_nowait, result)

        started = self._start(submission, tell)
        started.add_done_callback(lambda _: tell(None))
        return _follow(happened, started)

    def _start(self, submission: Submission, on_case: Callable[[CaseResult], None] | None) -> Future[Judged]:
        self._places.take()
        started = self._threads.submit(self._run, submission, on_case)
        started.add_done_callback(lambda _: self._places.give_back())
        return started

    def _run(self, submission: Submission, on_case: Callable[[CaseResult], None] | None) -> Judged:
        problem, source = submission.problem, submission.source
        if submission.mode == "run":
            report = self._judge.run(problem, source, submission.inputs, on_case=on_case)
        else:
            report = self._judge.grade(problem, source, on_case=on_case)
        judged = Judged(report, datetime.now(UTC))
        log.info(
            "judged",
            submission=submission.id,
            problem=problem.slug,
            revision=problem.revision[:12],
            mode=submission.mode,
            verdict=report.verdict and report.verdict.value,
            passed=report.passed,
            total=report.total,
            took_ms=round((judged.judged_at - submission.submitted_at).total_seconds() * 1000, 1),
        )
        return judged


async def _follow(happened: asyncio.Queue[CaseResult | None], started: Future[Judged]) -> Events:
    try:
        while True:
            try:
                async with asyncio.timeout(KEEP_ALIVE_S):
                    result = await happened.get()
            except TimeoutError:
                yield None
                continue
            if result is None:
                break
            yield result
        judged: Judged = await asyncio.wrap_future(started)
        yield judged
    finally:
        started.cancel()  # the listener left before its turn came: its place is for somebody else
