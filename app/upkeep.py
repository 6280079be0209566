"""What the server does by itself: takes judgings that others queued, forgets what is old. Trusted side."""

from __future__ import annotations

import asyncio
import time
from datetime import UTC, datetime, timedelta

import structlog

from app.dispatch import Dispatch
from app.dispatcher import Dispatcher
from app.hub import Hub
from app.store import judgings
from app.store.clock import in_ms
from app.store.errors import StoreUnavailable
from app.store.judgings import Waiting
from app.store.store import Store
from app.turns import Work

SWEEP_EVERY_S = 2.0
FORGET_EVERY_S = 3600.0
RUNS_KEPT = timedelta(hours=24)
FORGET_TOGETHER = 200
"""Submissions in one transaction: deleting must not keep those who submit waiting."""

log = structlog.get_logger()


class Upkeep:
    """Takes from the store what waits there, and deletes what nobody should find any more."""

    def __init__(self, store: Store, dispatch: Dispatcher, hub: Hub, retention_days: int | None) -> None:
        self._store = store
        # What waits is taken by threads of this process; where there are none, workers on other machines take it.
        self._dispatch = dispatch if isinstance(dispatch, Dispatch) else None
        self._hub = hub
        self._retention_days = retention_days

    def recover(self) -> None:
        """After a start: what was being judged when the last process ended waits again, and all that waits is taken."""
        if self._dispatch is None:
            return
        left = self._store.write(judgings.recover)
        waiting = self._store.read(judgings.waiting)
        self._take(waiting, self._dispatch)
        if waiting:
            log.info("recovered", judgings=len(waiting), begun=left)

    async def run(self) -> None:
        """Until it is cancelled."""
        forget_at = time.monotonic()
        while True:
            try:
                if self._dispatch is not None:
                    self._take(await asyncio.to_thread(self._store.read, judgings.waiting), self._dispatch)
                if time.monotonic() >= forget_at:
                    await asyncio.to_thread(self.forget)
                    forget_at = time.monotonic() + FORGET_EVERY_S
            except StoreUnavailable as error:
                log.warning("upkeep waits", why=str(error))
            await asyncio.sleep(SWEEP_EVERY_S)

    def _take(self, waiting: list[Waiting], dispatch: Dispatch) -> None:
        for each in waiting:
            if not dispatch.knows(each.judging):
                if each.client is not None:
                    self._hub.open(each.submission)
                dispatch.put(Work(each.judging, each.submission, client=each.client, priority=each.priority))

    def forget(self) -> int:
        """Deletes runs of yesterday, and submissions that are older than the operator keeps them; how many."""
        now = datetime.now(UTC)
        forgotten = self._forget_before(now - RUNS_KEPT, "run")
        if self._retention_days is not None:
            forgotten += self._forget_before(now - timedelta(days=self._retention_days), None)
        if forgotten:
            log.info("forgotten", submissions=forgotten)
        return forgotten

    def _forget_before(self, moment: datetime, mode: str | None) -> int:
        before_ms, forgotten = in_ms(moment), 0
        while True:
            some = self._store.write(lambda c: judgings.forget(c, before_ms, mode, FORGET_TOGETHER))
            forgotten += some
            if some < FORGET_TOGETHER:
                return forgotten
