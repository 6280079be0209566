"""Zygotes and armed children: start, arm, hand out, destroy on doubt. Trusted side.

    judge thread:  start zygote ─► arm child ─► (child says it is armed) ─► ready
    caller:        take() ─► talks to the child alone ─► release() ─► judge thread kills it and arms the next

One thread owns every zygote and lives as long as the pool: bubblewrap's --die-with-parent follows the thread that
spawned. Callers touch only a child that they took.
"""

from __future__ import annotations

import array
import contextlib
import functools
import os
import select
import selectors
import socket
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Any

from judge import spawn
from judge.children import Budget, Child, Death, Zygote, fork_child
from judge.errors import JudgeError, QueueFull
from judge.jail import wire

LINGER_S = 0.003
"""A finished child is killed this much later while others are armed: its teardown (2.5 ms) would otherwise compete
with the answer that somebody waits for."""
ARM_S = 20.0
"""How long a child may take to be armed: 5-10 ms on a quiet machine."""
RESTART_S = (0.0, 0.5, 2.0, 5.0)
"""Pauses before the next attempt to start a zygote, by number of failures in a row."""
KEPT_BUDGETS = 2
"""Budgets beside the usual one for which a child is armed ahead, those used last: problems with limits of their own."""


class Pool:
    """A fixed number of zygotes, each with children armed ahead.

    `begin` starts one zygote (a function, so that it always runs in the pool's own thread).
    """

    def __init__(self, zygotes: int, armed: int, budget: Budget, begin: Callable[[], spawn.Starting]) -> None:
        self._wanted = zygotes
        self._armed = armed
        self._budget = budget
        self._begin = begin
        self._lock = threading.Condition()
        self._ready: deque[Child] = deque()
        self._waiting: dict[Budget, int] = {}
        self._special: OrderedDict[Budget, deque[Child]] = OrderedDict()
        """Armed children of other budgets; the budget used last comes last."""
        self._orders: deque[Callable[[], None]] = deque()
        self._zygotes: list[Zygote] = []
        self._starting: list[spawn.Starting] = []
        self._unarmed: dict[Child, float] = {}
        """Children that have not said that they are armed, with the time by which they must have."""
        self._failures = 0
        self._retry_at = 0.0
        self._trouble: str | None = None
        self._ids = 0
        self._later: deque[tuple[float, Child]] = deque()
        self._closing = False
        self._over = False
        """The thread has ended, and with it everything that it owned."""
        self._selector = selectors.DefaultSelector()
        self._wake_r, self._wake_w = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self._selector.register(self._wake_r, selectors.EVENT_READ, self._woken)
        self._started = threading.Event()
        self._thread = threading.Thread(target=self._run, name="judge", daemon=True)
        self._thread.start()

    # ------------------------------------------------------------------ callers' side
    def wait_started(self) -> None:
        """Wait until the first zygote is up or has failed; JudgeError with its words when it failed."""
        self._started.wait()
        with self._lock:
            if not self._zygotes:
                raise JudgeError(self._trouble or "no zygote is running")

    @property
    def found(self) -> dict[str, Any]:
        """What a running zygote found about itself."""
        with self._lock:
            return dict(self._zygotes[0].spawned.found) if self._zygotes else {}

    def count(self) -> tuple[int, int]:
        """Zygotes alive, and wanted."""
        with self._lock:
            return len(self._zygotes), self._wanted

    def idle(self) -> int:
        """Children that are armed and wait for a submission."""
        with self._lock:
            return len(self._ready)

    def pids(self) -> list[int]:
        """The zygotes' pids as seen from here."""
        with self._lock:
            return [zygote.spawned.pid for zygote in self._zygotes]

    def take(self, budget: Budget, wait_s: float) -> Child:
        """An armed child for this budget. QueueFull after `wait_s`; JudgeError when no zygote can be started."""
        deadline = time.monotonic() + wait_s
        with self._lock:
            shelf = self._shelf(budget)
            self._waiting[budget] = self._waiting.get(budget, 0) + 1
            if shelf is not self._ready:
                self._special.move_to_end(budget)
                self._order(functools.partial(self._make_ready, budget, wanted=len(shelf) < self._waiting[budget]))
            try:
                while not shelf:
                    if self._closing:
                        raise JudgeError(self._trouble or "the judge is shutting down")
                    if self._trouble is not None and self._failures >= len(RESTART_S) and not self._zygotes:
                        raise JudgeError(self._trouble)
                    left = deadline - time.monotonic()
                    if left <= 0:
                        raise QueueFull("every judge process is busy")
                    self._lock.wait(left)
                return shelf.popleft()
            finally:
                self._waiting[budget] -= 1

    def release(self, child: Child) -> None:
        """Give a child back: it is killed, and its place is armed anew."""
        with self._lock:
            spare = len(self._ready) > 0 and not any(self._waiting.values())
            due = time.monotonic() + (LINGER_S if spare else 0.0)
            self._later.append((due, child))
            self._wake()

    def death_of(self, child: Child, wait_s: float) -> Death | None:
        """How it ended; None when its zygote did not say so in time or is gone itself."""
        child.dead.wait(wait_s)
        return child.death

    def close(self) -> None:
        """Kill everything and end the thread."""
        with self._lock:
            self._closing = True
            self._wake()
            self._lock.notify_all()
        self._thread.join()

    def _shelf(self, budget: Budget) -> deque[Child]:
        """The armed children of a budget that nobody has taken yet. Call it with the lock held."""
        return self._ready if budget == self._budget else self._special.setdefault(budget, deque())

    def _order(self, order: Callable[[], None]) -> None:
        self._orders.append(order)
        self._wake()

    def _wake(self) -> None:
        with self._lock, contextlib.suppress(BlockingIOError):
            if not self._over:
                os.write(self._wake_w, b"x")

    # ------------------------------------------------------------------ the judge thread
    def _run(self) -> None:
        try:
            while not self._closing:
                self._start_missing()
                for key, _ in self._selector.select(self._pause()):
                    if self._selector.get_map().get(key.fd) is key:  # else an earlier one of this answer ended it
                        key.data()
                self._bury()
                while self._orders:
                    self._orders.popleft()()
        finally:
            self._shut_down()

    def _pause(self) -> float | None:
        dues = [due for due, _ in list(self._later)[:1]]
        dues += [starting.deadline for starting in self._starting]
        dues += list(self._unarmed.values())[:1]
        if len(self._zygotes) + len(self._starting) < self._wanted:
            dues.append(self._retry_at)
        return max(0.0, min(dues) - time.monotonic()) if dues else None

    def _woken(self) -> None:
        with contextlib.suppress(BlockingIOError):
            os.read(self._wake_r, 4096)

    def _start_missing(self) -> None:
        """Start zygotes side by side; each is heard of again through its control socket."""
        now = time.monotonic()
        for starting in [each for each in self._starting if each.deadline <= now]:
            self._finish(starting)
        while len(self._zygotes) + len(self._starting) < self._wanted and now >= self._retry_at:
            try:
                starting = self._begin()
            except (OSError, JudgeError) as error:  # OSError: no descriptor is left, while many clients are connected
                self._fail(str(error))
                return
            self._starting.append(starting)
            self._selector.register(starting.control, selectors.EVENT_READ, functools.partial(self._finish, starting))

    def _fail(self, trouble: str) -> None:
        """Remember why there is no zygote, and pause before the next attempt."""
        with self._lock:
            self._trouble = trouble
            self._retry_at = time.monotonic() + RESTART_S[min(self._failures, len(RESTART_S) - 1)]
            self._failures += 1
            self._lock.notify_all()
        self._started.set()

    def _finish(self, starting: spawn.Starting) -> None:
        """A started zygote has said its first word, or has run out of time."""
        self._starting.remove(starting)
        self._selector.unregister(starting.control)
        try:
            zygote = Zygote(spawn.finish(starting))
        except JudgeError as error:
            self._fail(str(error))
            return
        with self._lock:
            self._zygotes.append(zygote)
            # Whoever waits for another budget ordered a child of a zygote that is gone.
            awaited = [budget for budget, callers in self._waiting.items() for _ in range(callers)]
        self._selector.register(zygote.control, selectors.EVENT_READ, functools.partial(self._heard, zygote))
        usual = [self._budget] * self._armed
        for budget in usual + [each for each in awaited if each != self._budget]:
            self._arm(zygote, budget)
        self._started.set()

    def _make_ready(self, budget: Budget, *, wanted: bool) -> None:
        """Arm a child for this budget if one is wanted, and give up those of budgets that have not been used lately."""
        if wanted and self._zygotes:
            self._arm(min(self._zygotes, key=lambda each: len(each.children)), budget)
        with self._lock:
            for old in list(self._special)[:-KEPT_BUDGETS]:
                if not self._waiting[old]:
                    self._later.extendleft((0.0, child) for child in self._special.pop(old))

    def _arm(self, zygote: Zygote, budget: Budget) -> None:
        self._ids += 1
        try:
            child = fork_child(zygote, self._ids, budget, rehearse=not any(self._waiting.values()))
        except (OSError, JudgeError):
            self._destroy(zygote)
            return
        zygote.children[child.id] = child
        self._unarmed[child] = time.monotonic() + ARM_S
        self._selector.register(child.socket, selectors.EVENT_READ, functools.partial(self._armed_child, child))

    def _armed_child(self, child: Child) -> None:
        """A child that nobody has taken yet says something: that it is armed, or nothing any more."""
        self._selector.unregister(child.socket)
        self._unarmed.pop(child, None)
        try:
            word = child.socket.recv(wire.CONTROL_BYTES, socket.MSG_DONTWAIT)
        except OSError:
            word = b""
        if len(word) != wire.TICK.size or word[:1] != wire.ARMED:
            self._failed_to_arm(child, wire.clean_text(word[1:]))
            return
        child.armed_rss = wire.TICK.unpack(word)[1] * 1024
        self._await_pidfd(child)
        with self._lock:
            child.armed = True
            self._failures = 0
            self._trouble = None
            self._shelf(child.budget).append(child)
            self._lock.notify_all()

    def _await_pidfd(self, child: Child) -> None:
        """A child may be armed before its zygote's word about it is read: without its pidfd it cannot be killed."""
        poller = select.poll()
        poller.register(child.zygote.control, select.POLLIN)
        while child.pidfd is None and child.zygote in self._zygotes:
            if not poller.poll(ARM_S * 1000):
                self._destroy(child.zygote)
                return
            self._heard(child.zygote)

    def _failed_to_arm(self, child: Child, words: str = "") -> None:
        """Destroy the zygote: a child that cannot be armed is a doubt about where it came from."""
        if child.zygote in self._zygotes:  # else it only went down with its zygote
            self._fail(f"a child could not be armed under its limits. {words}".strip())
            self._destroy(child.zygote)

    def _heard(self, zygote: Zygote) -> None:
        try:
            message, ancillary, _, _ = zygote.control.recvmsg(
                wire.CONTROL_BYTES, socket.CMSG_SPACE(4), socket.MSG_DONTWAIT
            )
        except BlockingIOError:
            return
        except OSError:
            message, ancillary = b"", []
        self._obey(zygote, message, ancillary)

    def _obey(self, zygote: Zygote, message: bytes, ancillary: list[tuple[int, int, bytes]]) -> None:
        """Act on one message of a zygote; anything that is not one, or tells of no child of its own, destroys it."""
        pidfds = [pidfd for _, _, carried in ancillary for pidfd in array.array("i", carried)]
        if message[:1] == b"F" and len(message) == wire.FORKED.size and len(pidfds) == 1:
            child = zygote.children.get(wire.FORKED.unpack(message)[1])
            if child is not None and child.pidfd is None:
                child.pidfd = pidfds[0]
                return
        elif message[:1] == b"X" and len(message) == wire.EXITED.size and not pidfds:
            _, child_id, status, user_s, system_s, max_rss = wire.EXITED.unpack(message)
            child = zygote.children.pop(child_id, None)
            if child is not None:
                self._forget(zygote, child, Death(status, user_s + system_s, max_rss * 1024))
                return
        for pidfd in pidfds:
            os.close(pidfd)
        self._destroy(zygote)

    def _forget(self, zygote: Zygote, child: Child, death: Death | None) -> None:
        """A child is gone for good: close what is ours of it, and arm the next in its place."""
        child.death = death
        child.dead.set()
        child.forget_pidfd()
        self._unarmed.pop(child, None)
        with self._lock:
            # A budget that was given up does not come back by the end of its children.
            shelf = self._ready if child.budget == self._budget else self._special.get(child.budget, deque())
            unused = child in shelf
            if unused:
                shelf.remove(child)
        if not child.armed:
            with contextlib.suppress(KeyError, ValueError):
                self._selector.unregister(child.socket)
                self._failed_to_arm(child)
        if unused or not child.armed:
            child.close()
        if zygote in self._zygotes:
            self._arm_next(zygote, child.budget)

    def _arm_next(self, zygote: Zygote, budget: Budget) -> None:
        """Arm what is short, now that a child of this budget is gone."""
        if sum(each.budget == self._budget for each in zygote.children.values()) < self._armed:
            self._arm(zygote, self._budget)
        elif budget != self._budget and self._is_short_of(budget):
            self._arm(zygote, budget)

    def _is_short_of(self, budget: Budget) -> bool:
        """Whether a budget was used lately and no child is armed for it, or about to be."""
        with self._lock:  # callers change the order of budgets
            ahead = [*self._special.get(budget, ()), *self._unarmed]
            return budget in list(self._special)[-KEPT_BUDGETS:] and all(each.budget != budget for each in ahead)

    def _bury(self) -> None:
        """Kill the children that were given back and whose time has come; doubt those that are never armed."""
        now = time.monotonic()
        for child in [each for each, due in self._unarmed.items() if due <= now]:
            self._failed_to_arm(child)
        while self._later and self._later[0][0] <= now:
            _, child = self._later.popleft()
            child.kill()
            child.close()

    def _destroy(self, zygote: Zygote) -> None:
        """End a zygote and all of its children; the loop starts another."""
        if zygote not in self._zygotes:
            return
        with self._lock:
            self._zygotes.remove(zygote)
        self._selector.unregister(zygote.control)
        zygote.control.close()
        spawn.end(zygote.spawned.process)
        for child in list(zygote.children.values()):
            if not child.armed:
                with contextlib.suppress(KeyError, ValueError):
                    self._selector.unregister(child.socket)
            self._forget(zygote, child, None)
        zygote.children.clear()

    def _shut_down(self) -> None:
        with self._lock:
            if not self._closing:  # by a mistake of ours, which the thread goes on to tell: nobody shall wait for it
                self._closing = True
                self._trouble = "the judge's own thread ended; restart the server"
            self._lock.notify_all()
        for starting in self._starting:
            starting.control.close()
            os.close(starting.log)
            spawn.end(starting.process)
        for zygote in list(self._zygotes):
            self._destroy(zygote)
        while self._later:
            self._later.popleft()[1].close()
        self._selector.close()
        with self._lock:
            self._over = True
            os.close(self._wake_r)
            os.close(self._wake_w)
        self._started.set()
