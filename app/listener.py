"""Tells who waits in a server without a judge what workers on other machines came to. Trusted side.

    NOTIFY ─┐
            ├─► ids that somebody waits for ─► one query for all of them ─► Hub
    2 s ────┘

One thread and one query for a whole server, however many wait. What is heard is only a hint: every two seconds it asks
for everything that is waited for, so a lost notice costs two seconds and nothing else.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Iterable
from types import TracebackType
from typing import Self

import structlog

from app.handover import Handover
from app.hub import Finished, Hub, Postponed, Told
from app.store import history
from app.store.errors import StoreUnavailable
from app.store.jobs import load
from app.store.notices import IDS_TOGETHER, BankChanged, CaseEnded, Ear, Ended, Notice, listen
from app.store.store import Store
from app.stored_bank import StoredBank

SWEEP_EVERY_S = 2.0
HEAR_S = 0.5
"""How long it may take until the thread notices that it is to stop."""
AGAIN_S = 0.5
"""Between attempts to reach the database."""
GONE_AFTER = 30
"""Sweeps that do not find a submission before nobody waits for it any more: it was deleted."""

log = structlog.get_logger()


class Listener:
    """Entered, its thread listens."""

    def __init__(self, store: Store, hub: Hub, bank: StoredBank, handover: Handover) -> None:
        self._store = store
        self._hub = hub
        self._bank = bank
        self._handover = handover
        self._stopping = threading.Event()
        self._unfound: Counter[str] = Counter()
        self._thread = threading.Thread(target=self._run, name="listener", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stopping.set()
        self._thread.join()

    def _run(self) -> None:
        assert self._store.url is not None  # noqa: S101 -- for the type checker
        while not self._stopping.is_set():
            try:
                with listen(self._store.url) as ear:
                    self._listen(ear)
            except StoreUnavailable as error:
                log.warning("not listening", why=str(error))
                self._stopping.wait(AGAIN_S)

    def _listen(self, ear: Ear) -> None:
        """Until it is told to stop; first what happened while nobody listened."""
        sweep_at = 0.0
        while not self._stopping.is_set():
            if (now := time.monotonic()) >= sweep_at:
                self.sweep()
                sweep_at = now + SWEEP_EVERY_S
            self._take(ear.hear(min(HEAR_S, max(0.0, sweep_at - time.monotonic()))))

    def _take(self, notices: Iterable[Notice]) -> None:
        ended: set[str] = set()
        for notice in notices:
            match notice:
                case Ended(submissions):
                    ended.update(each for each in submissions if self._hub.get(each) is not None)
                case CaseEnded():
                    self._hub.tell_next(notice.submission, notice.number, Told(notice.case, notice.json))
                case BankChanged():
                    self._bank.refresh()
        self._look(ended)

    def sweep(self) -> None:
        """Asks for everything. StoreUnavailable when the database does not answer."""
        self._handover.seen(self._store.read(load))
        self._bank.refresh()
        topics = self._hub.submissions()
        unfound = self._look(topics)
        self._unfound = Counter({each: self._unfound[each] + 1 for each in unfound})
        for each, times in self._unfound.items():
            if times > GONE_AFTER:
                self._hub.finish(each, Postponed())

    def _look(self, submissions: Iterable[str]) -> set[str]:
        """Tells who waits for one of these what it came to; those that are not kept."""
        left = sorted(submissions)
        unfound: set[str] = set()
        while left:
            some, left = left[:IDS_TOGETHER], left[IDS_TOGETHER:]
            found = self._reports(some)
            unfound.update(each for each in some if each not in found)
            for submission, report in found.items():
                if report is not None:
                    self._hub.finish(submission, Finished.of(report))
        return unfound

    def _reports(self, submissions: list[str]) -> dict[str, str | None]:
        return self._store.read(lambda connection: history.reports(connection, submissions))
