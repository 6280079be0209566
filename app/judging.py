"""One judging from its claim to its stored report: `run_judging`. Trusted side; called in judging threads.

    claim ─► Judge ─► views ─► store ─► Hub

The same wherever the queue is. Of several that judge the same only the one with the latest attempt stores. A judging
whose grader failed is tried again before that is its verdict; attempts count how often a process ended in the middle.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from datetime import UTC, datetime
from typing import Any, Protocol

import structlog

from app.hub import End, Finished, Postponed, Told
from app.metrics import Metrics
from app.own import from_text
from app.store import judgings
from app.store.clock import from_ms, in_ms
from app.store.errors import StoreUnavailable
from app.store.judgings import MAX_ATTEMPTS, UNCLAIMED, CaseRow, Claim, Outcome
from app.store.store import Store
from app.submission import Submission
from app.turns import Work
from app.views import Revealed, Stamp, case_for_student, for_student
from judge.errors import BadPolicy, JudgeError
from judge.grade import Judge
from judge.report import CaseResult, Report, Verdict
from problems.errors import PackageError
from problems.package import Problem

TRIES = 3
TRIES_IN_TROUBLE = 20
"""With the pauses below a minute and a half: a zygote is back in one to five seconds, even on a busy machine."""
PAUSE_S = 0.5
LONGEST_PAUSE_S = 5.0
STORE_AGAIN_S = 1.0
"""Between attempts to store while the disk is full or the database locked."""

OnCase = Callable[[CaseResult], None]
log = structlog.get_logger()


def dump(body: dict[str, Any]) -> str:
    """JSON as it is stored and sent. NaN cannot occur (views writes it as text), nor can NUL: JSON escapes it."""
    return json.dumps(body, allow_nan=False, ensure_ascii=False, separators=(",", ":"))


class Revisions(Protocol):
    """Problems as they were."""

    def at(self, slug: str, revision: str) -> Problem:
        """A problem at a revision; PackageError when it is not kept."""


class Teller(Protocol):
    """Tells who waits. From any thread."""

    def begin(self, submission: str) -> None:
        """It is being judged."""

    def is_watched(self, submission: str) -> bool:
        """Whether each case should be told as it finishes."""

    def tell(self, submission: str, told: Told) -> None:
        """A case is finished."""

    def finish(self, submission: str, end: End) -> None:
        """It has ended."""


class Judging:
    """Runs judgings. Thread-safe."""

    def __init__(self, judge: Judge, store: Store, published: Revisions, hub: Teller, metrics: Metrics) -> None:
        self._judge = judge
        self._store = store
        self._published = published
        self._hub = hub
        self._metrics = metrics
        self.draining = threading.Event()
        """Set when the process is told to stop: what has to be judged again is left to the next one."""
        self.stopping = threading.Event()
        """Set when the process ends: nobody tries to store for ever then."""

    def run_judging(self, work: Work) -> float | None:
        """Judges and stores. None when that is done; else the pause in seconds before it should be run again."""
        self._hub.begin(work.submission)
        attempt, submission = UNCLAIMED, work.given
        if submission is None:
            claim = self._store.write(lambda connection: judgings.claim(connection, work.judging))
            if claim is None or (submission := self._taken(work, claim)) is None:
                return None
            attempt = claim.attempt
        began = time.monotonic()
        report, again = self._report(work, submission)
        judging_s = time.monotonic() - began
        if again and work.tries < self._tries() - 1:
            self._put_back(work, attempt)
            return float(min(PAUSE_S * 2**work.tries, LONGEST_PAUSE_S))
        if (answer_s := self._end(work, attempt, report, submission)) is not None:
            self._metrics.judged(report, judging_s, answer_s)
        return None

    # ------------------------------------------------------------------ judging
    def _report(self, work: Work, submission: Submission) -> tuple[Report, bool]:
        """What the judge says, and whether it may say something better when it is asked again."""
        problem, mode = submission.problem, submission.mode
        try:
            report = self._judged(submission, self._listener(work, submission))
        except (PackageError, BadPolicy) as error:
            log.warning("a package needs its author", submission=work.submission, why=str(error))
            sentence = f"This problem's package needs its author: {error}"
            return _judge_error(problem.slug, problem.revision, mode, sentence), False
        except JudgeError:
            log.exception("the judge failed", submission=work.submission)
            return _judge_error(problem.slug, problem.revision, mode, "The judge failed, not you."), True
        return report, report.verdict is Verdict.JUDGE_ERROR

    def _judged(self, submission: Submission, on_case: OnCase | None) -> Report:
        problem, source = submission.problem, submission.source
        if submission.mode == "submit":
            report = self._judge.grade(problem, source, on_case=on_case)
            self._judge.mistakes.ready(problem)  # of a new revision: starts finding out what its mistakes do
            return report
        inputs, layouts = [own.inputs for own in submission.own], [own.layout for own in submission.own]
        return self._judge.run(problem, source, inputs, layouts=layouts, on_case=on_case)

    def _listener(self, work: Work, submission: Submission) -> OnCase | None:
        """What tells each case as it finishes; None when nobody listens: then the judge need not hurry them out."""
        if not self._hub.is_watched(work.submission):
            return None
        revealed = Revealed.of(submission.problem, submission.own_by_case)

        def tell(result: CaseResult) -> None:
            self._hub.tell(work.submission, Told(result.case, dump(case_for_student(result, revealed))))

        return tell

    # ------------------------------------------------------------------ the store
    def _taken(self, work: Work, taken: Claim) -> Submission | None:
        """The submission from the store; None when it was ended without judging it."""
        try:
            submission = self._submitted(taken)
        except PackageError as error:
            log.error("a revision is missing", submission=work.submission, why=str(error))  # noqa: TRY400 -- no bug
            self._end(work, taken.attempt, _failed(taken, "Its problem is no longer in the store."), None)
            return None
        if taken.attempt > MAX_ATTEMPTS:
            log.error("given up", submission=work.submission, attempts=MAX_ATTEMPTS)
            sentence = f"The grader failed {MAX_ATTEMPTS} times while it judged this."
            self._end(work, taken.attempt, _failed(taken, sentence), submission)
            return None
        return submission

    def _submitted(self, claim: Claim) -> Submission:
        return Submission(
            id=claim.submission,
            problem=self._published.at(claim.problem, claim.revision),
            mode="run" if claim.mode == "run" else "submit",
            source=claim.source,
            own=from_text(claim.own),
            submitted_at=from_ms(claim.submitted_at_ms),
        )

    def _tries(self) -> int:
        """How often a judging whose grader failed is tried in all: more often while zygotes are missing."""
        alive, wanted = self._judge.zygotes()
        return TRIES if alive == wanted else TRIES_IN_TROUBLE

    def _put_back(self, work: Work, attempt: int) -> None:
        log.warning("judged again", submission=work.submission, tries=work.tries + 1)
        self._metrics.judged_again()
        if attempt != UNCLAIMED:
            self._store.write(lambda connection: judgings.put_back(connection, work.judging, attempt))
        if self.draining.is_set():
            self._hub.finish(work.submission, Postponed())

    def _end(self, work: Work, attempt: int, report: Report, submission: Submission | None) -> float | None:
        """Seconds since it was submitted, now that its report is stored; None when another attempt has that right."""
        judged_at = datetime.now(UTC)
        submitted_at = submission.submitted_at if submission else judged_at
        judged_at = max(judged_at, submitted_at)  # the clock may have been set back
        revealed = Revealed.of(submission.problem, submission.own_by_case) if submission else Revealed({}, {}, "")
        text = dump(for_student(report, revealed, Stamp(work.submission, submitted_at, judged_at)))
        outcome = _outcome(report, text, judged_at)
        # A rejudging is nobody's answer before it is applied.
        finished = Finished(text, len(report.cases)) if work.client is not None else None
        if not self._stored(work, attempt, outcome, finished):
            log.info("dropped", submission=work.submission, attempt=attempt)
            return None
        answer_s = (judged_at - submitted_at).total_seconds()
        log.info(
            "judged",
            submission=work.submission,
            problem=report.problem,
            revision=report.revision[:12],
            mode=report.mode,
            verdict=outcome.verdict,
            passed=report.passed,
            total=report.total,
            attempt=attempt,
            took_ms=round(answer_s * 1000, 1),
        )
        return answer_s

    def _stored(self, work: Work, attempt: int, outcome: Outcome, finished: Finished | None) -> bool:
        """Whether this attempt was the one that counts. A verdict that cannot be written now is kept until it can."""

        def tell(stored: Future[bool]) -> None:
            # In the writer's thread, the moment it is durable: who waits is spared one change of threads.
            if finished is not None and stored.exception() is None and stored.result():
                self._hub.finish(work.submission, finished)

        while True:
            stored = self._store.begin(lambda connection: judgings.store(connection, work.judging, attempt, outcome))
            stored.add_done_callback(tell)
            try:
                return stored.result()
            except StoreUnavailable as error:
                log.error("not stored yet", submission=work.submission, why=str(error))  # noqa: TRY400 -- no bug
                if self.stopping.wait(STORE_AGAIN_S):
                    return False  # it is judged again after the next start


def _failed(claim: Claim, sentence: str) -> Report:
    return _judge_error(claim.problem, claim.revision, claim.mode, sentence)


def _judge_error(problem: str, revision: str, mode: str, sentence: str) -> Report:
    return Report(problem, revision, mode, Verdict.JUDGE_ERROR, None, (), remarks=(sentence,))


def _outcome(report: Report, text: str, judged_at: datetime) -> Outcome:
    cases = () if report.mode == "run" else report.cases
    return Outcome(
        verdict=report.verdict and report.verdict.value,
        reason=report.reason and report.reason.value,
        passed=report.passed,
        total=report.total,
        mistake=report.diagnosis.mistake if report.diagnosis else None,
        report=text,
        judged_at_ms=in_ms(judged_at),
        cases=tuple(
            CaseRow(
                case.case,
                case.verdict and case.verdict.value,
                case.reason and case.reason.value,
                round(case.time_ms, 3),
            )
            for case in cases
        ),
    )
