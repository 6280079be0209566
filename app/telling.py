"""Tells servers elsewhere what a worker's judgings come to: the worker's side of `app.listener`. Trusted side.

    judging threads ─► queue ─► one thread ─► one NOTIFY for all that has come together

Cases are told one by one only of a judging that takes long enough for somebody to watch it; of the others they come
with the report.
"""

from __future__ import annotations

import queue
import threading
import time
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

import structlog

from app.hub import End, Finished, Told
from app.store.errors import StoreUnavailable
from app.store.notices import IDS_TOGETHER, CaseEnded, Ended, Notice, send
from app.store.store import Store

WATCHABLE_S = 0.2
"""A judging that is done by then is told as a whole: nobody would see the difference."""

log = structlog.get_logger()


@dataclass(slots=True)
class _Begun:
    """A judging that runs."""

    at: float
    told: int = 0
    held: list[Notice] = field(default_factory=list)


class Telling:
    """What judging threads tell. Entered, its thread sends. Thread-safe."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._queue: queue.SimpleQueue[Notice | None] = queue.SimpleQueue()
        self._begun: dict[str, _Begun] = {}
        self._thread = threading.Thread(target=self._run, name="telling", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._queue.put(None)
        self._thread.join()

    # ------------------------------------------------------------------ what judging threads call
    def begin(self, submission: str) -> None:
        """It is being judged, perhaps once more."""
        self._begun[submission] = _Begun(time.monotonic())

    def is_watched(self, submission: str) -> bool:
        """Nobody here knows who watches elsewhere."""
        return submission in self._begun

    def tell(self, submission: str, told: Told) -> None:
        """A case is finished."""
        if (begun := self._begun.get(submission)) is None:
            return
        begun.told += 1
        begun.held.append(CaseEnded(submission, begun.told, told.case, told.json))
        if time.monotonic() - begun.at >= WATCHABLE_S:
            held, begun.held = begun.held, []
            for each in held:
                self._queue.put(each)

    def finish(self, submission: str, end: End) -> None:
        """It has ended."""
        self._begun.pop(submission, None)
        if isinstance(end, Finished):
            self._queue.put(Ended((submission,)))

    # ------------------------------------------------------------------ the thread
    def _run(self) -> None:
        going_on = True
        while going_on:
            together = [self._queue.get()]
            while not self._queue.empty():
                together.append(self._queue.get())
            going_on = None not in together
            self._send([each for each in together if each is not None])

    def _send(self, together: list[Notice]) -> None:
        ended = [each for notice in together if isinstance(notice, Ended) for each in notice.submissions]
        notices: list[Notice] = [notice for notice in together if not isinstance(notice, Ended)]
        notices += [Ended(tuple(ended[start : start + IDS_TOGETHER])) for start in range(0, len(ended), IDS_TOGETHER)]
        if not notices:
            return
        try:
            self._store.write(lambda connection: [send(connection, notice) for notice in notices])
        except StoreUnavailable as error:
            log.warning("not told", notices=len(notices), why=str(error))  # whoever waits looks every two seconds
