"""Who waits for which submission, in this process. Trusted side.

    judging thread ── begin, tell, finish ──► Hub ──► requests that wait, streams that follow

A waiter never touches the store: whoever finishes a judging says so here. A topic is there from before its submission
is kept until after its report is, so what is not here and not done is not judged by this process.

Topics belong to the event loop; judging threads call what stands below "from any thread".
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Self

KEEP_ALIVE_S = 15.0
"""Proxies close connections that are silent for 30 to 60 s."""


@dataclass(frozen=True, slots=True)
class Told:
    """One case that is finished."""

    case: str
    json: str
    """What the student may see of it."""


@dataclass(frozen=True, slots=True)
class Finished:
    """The report is durable."""

    json: str
    total: int
    """Cases in it."""

    @classmethod
    def of(cls, report: str) -> Self:
        """A report from the store. It is handed on as it is, also if a worker wrote what is none."""
        try:
            return cls(report, len(json.loads(report)["cases"]))
        except (ValueError, LookupError, TypeError, RecursionError):
            return cls(report, 0)


@dataclass(frozen=True, slots=True)
class Postponed:
    """It is durable and will be judged, but not by this process: it is about to stop."""


End = Finished | Postponed


@dataclass(eq=False, slots=True)
class Topic:
    """What is known of one submission that is not done yet."""

    watched: bool
    """Whether somebody wants to see each case as it finishes."""
    begun: bool = False
    told: list[Told] = field(default_factory=list)
    end: End | None = None
    _waiting: set[asyncio.Event] = field(default_factory=set)

    async def wait(self, wait_s: float) -> End | None:
        """How it ended; None when it did not within that time."""
        changed = asyncio.Event()
        self._waiting.add(changed)
        try:
            async with asyncio.timeout(wait_s):
                while self.end is None:
                    await changed.wait()
                    changed.clear()
        except TimeoutError:
            return None
        finally:
            self._waiting.discard(changed)
        return self.end

    async def follow(self, after: int) -> AsyncGenerator[Told | End | None]:
        """Each case after the first `after` ones, and how it ended; None now and then while nothing happens."""
        self.watched = True
        changed = asyncio.Event()
        self._waiting.add(changed)
        sent = after
        try:
            while True:
                while sent < len(self.told):
                    sent += 1
                    yield self.told[sent - 1]
                if self.end is not None:
                    yield self.end
                    return
                try:
                    async with asyncio.timeout(KEEP_ALIVE_S):
                        await changed.wait()
                except TimeoutError:
                    yield None
                changed.clear()
        finally:
            self._waiting.discard(changed)

    def _wake(self) -> None:
        for changed in self._waiting:
            changed.set()

    def tell(self, told: Told) -> None:
        """Adds a case; one that was told before (the judge tried again) stays as it was."""
        if all(each.case != told.case for each in self.told):
            self.told.append(told)
            self._wake()

    def finish(self, end: End) -> None:
        self.end = end
        self._wake()


class Hub:
    """The topics of one process, by submission. Made and closed on its event loop."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._topics: dict[str, Topic] = {}

    # ------------------------------------------------------------------ on the event loop
    def open(self, submission: str, *, watched: bool = False) -> Topic:
        """A topic; call it before the submission is kept."""
        return self._topics.setdefault(submission, Topic(watched))

    def get(self, submission: str) -> Topic | None:
        """The topic of a submission that is not done yet."""
        return self._topics.get(submission)

    def postpone(self) -> None:
        """Tells who waits for something that has not begun that it will be judged later."""
        for submission, topic in list(self._topics.items()):
            if not topic.begun:
                del self._topics[submission]
                topic.finish(Postponed())

    def __len__(self) -> int:
        return len(self._topics)

    def submissions(self) -> list[str]:
        """Those that are not done, as far as this process knows. From any thread."""
        return list(self._topics)

    # ------------------------------------------------------------------ from any thread
    def is_watched(self, submission: str) -> bool:
        """Whether each case should be told as it finishes: that costs a little."""
        topic = self._topics.get(submission)
        return topic is not None and topic.watched

    def is_begun(self, submission: str) -> bool:
        """Whether it is being judged now."""
        topic = self._topics.get(submission)
        return topic is not None and topic.begun

    def begin(self, submission: str) -> None:
        """It is being judged."""
        if (topic := self._topics.get(submission)) is not None:
            topic.begun = True

    def tell(self, submission: str, told: Told) -> None:
        """A case is finished."""
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            self._loop.call_soon_threadsafe(self._tell, submission, told)

    def tell_next(self, submission: str, number: int, told: Told) -> None:
        """A case is finished, that with this number; if one before it was not heard of, it comes with the report."""
        with suppress(RuntimeError):  # the same
            self._loop.call_soon_threadsafe(self._tell_next, submission, number, told)

    def finish(self, submission: str, end: End) -> None:
        """It has ended."""
        with suppress(RuntimeError):  # the same
            self._loop.call_soon_threadsafe(self._finish, submission, end)

    def drop(self, submission: str) -> None:
        """It was not kept."""
        with suppress(RuntimeError):  # the same
            self._loop.call_soon_threadsafe(self._topics.pop, submission, None)

    def _tell(self, submission: str, told: Told) -> None:
        if (topic := self._topics.get(submission)) is not None:
            topic.tell(told)

    def _tell_next(self, submission: str, number: int, told: Told) -> None:
        if (topic := self._topics.get(submission)) is not None and len(topic.told) == number - 1:
            topic.tell(told)

    def _finish(self, submission: str, end: End) -> None:
        if (topic := self._topics.pop(submission, None)) is not None:
            topic.finish(end)
