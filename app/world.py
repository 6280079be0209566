"""What lives as long as the server. Trusted side.

Made by the lifespan of `app.main`; handlers find it with `world_of(request)`.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from http import HTTPStatus
from typing import cast

from fastapi import Request

from app.desk import Desk
from app.dispatch import Dispatch
from app.hub import Hub
from app.identity import Identity
from app.judging import Judging
from app.problem_json import Refusal
from app.published import Published
from app.store import history
from app.store.history import Found
from app.store.store import Store
from judge.grade import Judge


@dataclass(frozen=True, slots=True)
class World:
    """The parts of a running server."""

    judge: Judge
    store: Store
    published: Published
    hub: Hub
    judging: Judging
    dispatch: Dispatch
    identity: Identity
    desk: Desk

    def drain(self) -> None:
        """Begins nothing more, and tells who waits for something that has not begun where it will be."""
        self.judging.draining.set()
        self.dispatch.drain()
        self.hub.postpone()

    async def found(self, submission: str) -> Found:
        """A submission in the store; Refusal 404 when there is none."""
        found = await asyncio.to_thread(self.store.read, lambda connection: history.found(connection, submission))
        if found is None:
            raise Refusal(HTTPStatus.NOT_FOUND, "There is no such submission; runs are kept for a day.")
        return found


def world_of(request: Request) -> World:
    """The world that answers this request."""
    return cast("World", request.state.world)
