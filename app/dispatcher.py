"""What takes judgings, in this process or on other machines: one protocol for both. Trusted side.

    reserve ─► enqueue, in the transaction that keeps it ─► committed: put, or refused: forget

`app.dispatch` judges in threads of its own; `app.handover` hands over to workers on other machines.
"""

from __future__ import annotations

from typing import Protocol

from app.store.accepting import Enqueue
from app.turns import Work


class Dispatcher(Protocol):
    """Takes judgings, and says how much there is to do."""

    @property
    def enqueue(self) -> Enqueue:
        """Puts judgings into the queue, in the transaction that keeps them."""

    def reserve(self, judging: str, client: str) -> bool:
        """Announces a judging. True when it is to begin before it is durable: call `start` soon."""

    def start(self, work: Work) -> None:
        """Begins what was reserved."""

    def put(self, work: Work) -> None:
        """It is durable."""

    def forget(self, judging: str) -> None:
        """An announced judging that does not come after all."""

    def drain(self) -> None:
        """Begins nothing more; what runs goes on."""

    @property
    def draining(self) -> bool: ...

    def pending(self) -> int:
        """Students' judgings that this process answers for."""

    def pending_of(self, client: str) -> int:
        """Those that count on a client, as far as this process knows; the store counts all of them."""

    def queued(self) -> int:
        """Students' judgings that wait to be judged."""

    def rejudgings(self) -> int:
        """Rejudgings that wait or run."""

    def expected_wait_s(self) -> float:
        """How long somebody who comes now would wait."""
