"""What lives as long as the server. Trusted side.

Made by the lifespan of `app.main`; handlers find it with `world_of(request)`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Protocol, cast

from fastapi import Request

from app.desk import Desk
from app.dispatcher import Dispatcher
from app.hub import End, Finished, Hub, Postponed, Topic
from app.identity import Identity
from app.judging import Judging
from app.problem_json import Refusal
from app.store import history
from app.store.history import Found
from app.store.store import Store
from judge.grade import Judge
from problems.package import Problem


class Submittable(Protocol):
    """The problems to which one may submit."""

    async def current(self) -> dict[str, Problem]:
        """Each at its current revision, which the store has."""


@dataclass(frozen=True, slots=True)
class World:
    """The parts of a running server."""

    store: Store
    published: Submittable
    hub: Hub
    dispatch: Dispatcher
    identity: Identity
    desk: Desk
    judge: Judge | None = None
    """None where workers on other machines judge."""
    judging: Judging | None = None
    workers: Callable[[], int] | None = None
    """How many of those are alive."""

    def drain(self) -> None:
        """Begins nothing more, and tells who waits for something that has not begun where it will be."""
        if self.judging is not None:
            self.judging.draining.set()
        self.dispatch.drain()
        self.hub.postpone()

    async def topic(self, submission: str) -> Topic | None:
        """Where to wait for a submission; None when it is done, or when this process never hears of it.

        Refusal 404 when there is none.
        """
        if (topic := self.hub.get(submission)) is not None or self.judge is not None:
            return topic
        # Another server accepted it. Opened before the store is asked: what ends in between is not missed.
        topic = self.hub.open(submission)
        end: End | None = Postponed()
        try:
            report = (await self.found(submission)).report
            end = None if report is None else Finished.of(report)
        finally:
            if end is not None:  # not only dropped: others may have found the topic meanwhile, and wait
                self.hub.finish(submission, end)
        return topic if end is None else None

    async def found(self, submission: str) -> Found:
        """A submission in the store; Refusal 404 when there is none."""
        found = await asyncio.to_thread(self.store.read, lambda connection: history.found(connection, submission))
        if found is None:
            raise Refusal(HTTPStatus.NOT_FOUND, "There is no such submission; runs are kept for a day.")
        return found


def world_of(request: Request) -> World:
    """The world that answers this request."""
    return cast("World", request.state.world)
