"""Whose judging is next, as data: no threads, no clock of its own. Trusted side.

    promised        what an idle thread was reserved for, before everything
    by priority     first those who have nothing else pending, in the order in which they came
    behind          rejudgings, when nobody else waits
    later           what the grader failed on, after its pause

One client runs on half of the threads at most, and so does all that is not somebody's first: whoever comes while others
flood finds a thread that is free or soon will be.
"""

from __future__ import annotations

import heapq
from collections import Counter, deque
from dataclasses import dataclass, replace

from app.submission import Submission


@dataclass(frozen=True, slots=True)
class Work:
    """A judging that somebody must run."""

    judging: str
    submission: str
    """Its id."""
    given: Submission | None = None
    """What is judged, in the process that accepted it: it is in memory, and nobody else can claim it."""
    client: str | None = None
    """On whom it counts; None for a rejudging."""
    share: int = 1
    """For how many the client stands."""
    priority: int = 0
    promised: bool = False
    """Whether an idle thread was reserved for it."""
    tries: int = 0
    """How often the grader failed on it so far."""

    @property
    def is_patient(self) -> bool:
        """Whether its client has others that come before it."""
        return self.client is None or self.priority < 0


class Turns:
    """Judgings that are announced, wait or run in one process. Not thread-safe."""

    def __init__(self, threads: int) -> None:
        self._half = max(1, threads // 2)
        self._running: Counter[str | None] = Counter()
        self._patient = 0
        self._ready: list[tuple[bool, int, int, Work]] = []
        self._behind: deque[Work] = deque()
        self._later: list[tuple[float, int, Work]] = []
        self._number = 0
        self._known: dict[str, str | None] = {}
        self._by_client: Counter[str | None] = Counter()

    def announce(self, judging: str, client: str | None) -> None:
        """It will come, or is here."""
        if judging not in self._known:
            self._known[judging] = client
            self._by_client[client] += 1

    def forget(self, judging: str) -> None:
        """It has ended, or does not come after all."""
        if judging in self._known:
            client = self._known.pop(judging)
            self._by_client[client] -= 1
            if not self._by_client[client]:
                del self._by_client[client]

    def add(self, work: Work) -> None:
        """It waits for its turn."""
        self.announce(work.judging, work.client)
        if work.client is None:
            self._behind.append(work)
            return
        self._number += 1
        heapq.heappush(self._ready, (not work.promised, -work.priority, self._number, work))

    def add_later(self, work: Work, due: float) -> None:
        """It waits until then, and then for its turn; what is in memory of it is in the store, too."""
        self._number += 1
        heapq.heappush(
            self._later, (due, self._number, replace(work, given=None, promised=False, tries=work.tries + 1))
        )

    def next(self, now: float, *, draining: bool) -> Work | None:
        """Takes the one whose turn it is. Draining, only what was promised has a turn."""
        while self._later and self._later[0][0] <= now:
            self.add(heapq.heappop(self._later)[2])
        passed_over = []
        work = None
        while self._ready and work is None:
            turn = heapq.heappop(self._ready)
            if (turn[-1].promised or not draining) and self._may_run(turn[-1]):
                work = turn[-1]
            else:
                passed_over.append(turn)
        for turn in passed_over:
            heapq.heappush(self._ready, turn)
        if work is None and self._behind and not draining and self._may_run(self._behind[0]):
            work = self._behind.popleft()
        if work is not None:
            self._running[work.client] += 1
            self._patient += work.is_patient
        return work

    def _may_run(self, work: Work) -> bool:
        if work.promised:
            return True
        return self._running[work.client] < self._half * work.share and not (
            work.is_patient and self._patient >= self._half
        )

    def done(self, work: Work) -> None:
        """It no longer runs."""
        self._patient -= work.is_patient
        self._running[work.client] -= 1
        if not self._running[work.client]:
            del self._running[work.client]

    def next_due(self) -> float | None:
        """When something of what waits for later becomes ready."""
        return self._later[0][0] if self._later else None

    # ------------------------------------------------------------------ how much there is
    def knows(self, judging: str) -> bool:
        return judging in self._known

    def somebody_waits(self) -> bool:
        """Whether a student's judging waits for a thread."""
        return bool(self._ready)

    def pending_of(self, client: str) -> int:
        """A client's judgings here, the announced ones among them."""
        return self._by_client[client]

    def pending(self) -> int:
        """Students' judgings: announced, waiting or running."""
        return len(self._known) - self._by_client[None]

    def queued(self) -> int:
        """Students' judgings that wait for a thread."""
        return len(self._ready) + len(self._later)

    def rejudgings(self) -> int:
        """Rejudgings that wait or run."""
        return self._by_client[None]
