"""Where submissions come in: admission, a durable row, and a judge. Trusted side.

    admit: rate 429 ─► in flight 503 ─► expected wait 503 ─► pending 429        take: row in the store ─► queue

When a judge is idle, judging begins while the row is still being written; nobody is answered before both are durable.
"""

from __future__ import annotations

import asyncio
import math
from concurrent.futures import Future
from dataclasses import dataclass, replace
from http import HTTPStatus

import structlog

from app.admission import Rates
from app.dispatcher import Dispatcher
from app.hub import Hub
from app.identity import Sender
from app.own import to_text
from app.problem_json import Refusal, too_busy
from app.store import accepting
from app.store.accepting import Answer, Kept, KeptBefore, NewSubmission, OtherBody, TooManyPending
from app.store.clock import in_ms
from app.store.ids import new_id
from app.store.store import Store
from app.submission import Submission
from app.turns import Work

IN_FLIGHT = 512
"""Judgings that one process holds: at 60 a second the last one waits under ten seconds, each holds at most 100 KiB."""
MAX_WAIT_S = 60.0
MAX_PENDING = 10
"""Of one browser or user. One person cannot read more reports than that."""
ADDRESS_SHARE = 20
"""Browsers that an address may stand for while the store does not know them: a lecture hall has one address."""

PENDING_AGAIN_S = 2
"""When who has too many pending comes again: ten are judged in about that time."""

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Key:
    """What makes a retry safe: the client's key, and the digest of the body it came with."""

    text: str | None
    body_sha256: bytes


class Desk:
    """Takes submissions. One for each process."""

    def __init__(self, store: Store, dispatch: Dispatcher, hub: Hub, rates: Rates | None) -> None:
        self._store = store
        self._dispatch = dispatch
        self._hub = hub
        self._rates = rates

    async def take(self, submission: Submission, sender: Sender, key: Key, *, watched: bool = False) -> str:
        """The id under which it is durable: its own, or that of the submission whose retry it is. Raises Refusal."""
        work = Work(new_id(), submission.id, submission, sender.client, _share(sender))
        topic = self._hub.open(submission.id, watched=watched)
        begun = self._dispatch.reserve(work.judging, sender.client)
        new = _new(work, submission, sender, key)
        enqueue = self._dispatch.enqueue
        kept = self._store.begin(lambda connection: accepting.accept(connection, new, enqueue))
        if begun:
            # After the row was handed to the writer: what the judge stores comes behind it in the same queue.
            topic.begun = True
            self._dispatch.start(work)
        kept.add_done_callback(lambda done: self._settle(work, done, begun=begun))
        return _id_after(await asyncio.shield(asyncio.wrap_future(kept)), submission.id, sender)

    def _settle(self, work: Work, done: Future[Answer], *, begun: bool) -> None:
        """In the writer's thread: what is durable is queued, whatever became of the request that brought it."""
        answer = None if done.exception() else done.result()
        if not isinstance(answer, Kept):
            self._hub.drop(work.submission)
            self._dispatch.forget(work.judging)
        elif not begun:
            self._dispatch.put(replace(work, priority=answer.priority))

    def admit(self, sender: Sender) -> None:
        """Refusal when this sender, or anybody, should come again later. Cheap: for before a body is looked into."""
        share = _share(sender)
        if self._dispatch.draining:
            raise too_busy("The server is about to restart; try again in a few seconds.")
        if self._rates is not None and (wait_s := self._rates.wait_s(sender.client, share)) > 0:
            raise too_many(f"At most {self._rates.rate} submissions are taken from you.", wait_s)
        if self._dispatch.pending() >= IN_FLIGHT:
            raise too_busy("Too many submissions are waiting; try again in a few seconds.")
        if (expected_s := self._dispatch.expected_wait_s()) > MAX_WAIT_S:
            raise too_busy(f"The queue is {expected_s:.0f} s long; try again later.")
        # The store counts again, for all processes together, in the transaction that keeps the submission.
        if (pending := self._dispatch.pending_of(sender.client)) >= MAX_PENDING * share:
            raise _too_many_pending(pending, sender)


def _share(sender: Sender) -> int:
    return ADDRESS_SHARE if sender.is_address else 1


def _too_many_pending(pending: int, sender: Sender) -> Refusal:
    whose = "submissions from your network" if sender.is_address else "of your submissions"
    return too_many(f"{pending} {whose} are still waiting; let one finish.", PENDING_AGAIN_S)


def _id_after(answer: Answer, submission: str, sender: Sender) -> str:
    match answer:
        case Kept():
            return submission
        case KeptBefore():
            return answer.id
        case OtherBody():
            sentence = "This Idempotency-Key was used for another body; a new submission needs a new key."
            raise Refusal(HTTPStatus.UNPROCESSABLE_ENTITY, sentence)
        case TooManyPending():
            raise _too_many_pending(answer.pending, sender)


def too_many(sentence: str, wait_s: float) -> Refusal:
    """429 with Retry-After."""
    return Refusal(HTTPStatus.TOO_MANY_REQUESTS, sentence, headers={"Retry-After": str(max(1, math.ceil(wait_s)))})


def _new(work: Work, submission: Submission, sender: Sender, key: Key) -> NewSubmission:
    return NewSubmission(
        id=submission.id,
        judging=work.judging,
        problem=submission.problem.slug,
        revision=submission.problem.revision,
        mode=submission.mode,
        source=submission.source,
        own=to_text(submission.own),
        owner=sender.owner,
        user_name=sender.user_name,
        came_alone=sender.came_alone,
        key=key.text,
        body_sha256=key.body_sha256,
        submitted_at_ms=in_ms(submission.submitted_at),
        client=sender.client,
        max_pending=MAX_PENDING,
        share=_share(sender),
    )
