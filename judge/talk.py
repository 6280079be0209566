"""One batch with one child, from the message to the last tick, and what it left in the region. Trusted side.

Everything read here was written by a process that may belong to an attacker: lengths and offsets are checked against
our own bounds, bytes are copied out once, and a message that no honest child sends ends the talk.
"""

from __future__ import annotations

import array
import contextlib
import math
import mmap
import os
import socket
import time
from collections.abc import Callable
from enum import Enum, auto
from typing import Any

import numpy as np
from numpy.typing import NDArray

from judge.children import Child
from judge.jail import wire
from judge.jail.wire import LoadStatus, MalformedError, Record, Status
from judge.outcome import End, Outcome
from judge.request import Batch, Start
from problems.package import Limits

_SLACK_S = 0.005
"""How far an honest child's clock and ours may differ before ours alone is taken."""
_FROZEN_S = 0.5
"""Waking up so long after a deadline is not the load of the machine any more."""
_MAX_FREEZES = 3
_CARRIED = np.dtype(np.uint16)
_LARGE = 4 << 20
"""From this many bytes of results on, page faults cost more than the copying: their memory is had in larger steps."""


class Stop(Enum):
    """Why a talk ended."""

    DONE = auto()
    LATE = auto()
    """One case took longer than it may."""
    SPENT = auto()
    """All cases together did."""
    GONE = auto()
    """The child hung up."""
    LYING = auto()
    """It sent what no honest child sends."""


class Talk:
    """One batch with one child. `hold` it once, then ask what came of it."""

    def __init__(self, child: Child, batch: Batch, limits: Limits, spent_s: float) -> None:
        self._child = child
        self._batch = batch
        self._limits = limits
        self._spent_s = spent_s
        self._windows: list[tuple[int, float]] = []
        """Calls finished, and seconds since we last heard of the child before that."""
        self._began = self._heard = 0.0
        self._freezes = 0
        self._region = memoryview(b"")
        self.size = len(batch.calls)

    def hold(self, start: Start | None, source: bytes, heard: Callable[[int], None] | None) -> Stop:
        """Send the batch and listen until it is done or cannot be any more.

        `heard` is called with the number of finished calls as they finish; without it the child says less, and the
        whole costs less. The child is neither killed nor released here.
        """
        self._began = self._heard = time.perf_counter()
        stop = self._send(start, source, every_tick=heard is not None)
        self._make_room()
        finished = 0
        while stop is None:
            word = self._listen()
            if isinstance(word, Stop):
                return word
            kind, count = word
            if kind == wire.DONE and count in (0, self.size):
                self._note(self.size)
                return Stop.DONE
            if kind != wire.PROGRESS or not finished < count <= self.size:
                return Stop.LYING
            finished = count
            self._note(finished)
            if heard is not None:
                heard(finished)
        return stop

    def _send(self, start: Start | None, source: bytes, *, every_tick: bool) -> Stop | None:
        parts = self._batch.message(start, source, every_tick=every_tick)
        with self._batch.opened() as descriptors:
            carried = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [each])) for each in descriptors]
            return self._send_parts(parts, carried)

    def _send_parts(self, parts: list[bytes], carried: list[tuple[int, int, array.array[int]]]) -> Stop | None:
        try:
            self._child.socket.settimeout(self._limits.time_s)
            self._child.socket.sendmsg(parts, carried)
        except TimeoutError:
            return Stop.LATE
        except OSError:
            return Stop.GONE
        return None

    def _make_room(self) -> None:
        """Have pages ready for large results while the child still computes them: it would wait for each."""
        if self._batch.free_at >= _LARGE:
            with contextlib.suppress(OSError):  # no memory: the child finds that out, and its end says so
                os.posix_fallocate(self._child.region, 0, self._batch.free_at)

    def _listen(self) -> tuple[bytes, int] | Stop:
        """The child's next word, or why there is none. The deadline is ours, and only progress moves it."""
        while True:
            late_by = self._heard + self._limits.time_s
            spent_by = self._began + self._limits.total_time_s - self._spent_s
            due = min(late_by, spent_by)
            try:
                self._child.socket.settimeout(max(0.0, due - time.perf_counter()))
                word = self._child.socket.recv(wire.TICK.size + 1)
            except (TimeoutError, BlockingIOError):
                if self._forgive_a_freeze(due):
                    continue
                return Stop.LATE if late_by <= spent_by else Stop.SPENT
            except OSError:
                return Stop.GONE
            if not word:
                return Stop.GONE
            if len(word) != wire.TICK.size:
                return Stop.LYING
            kind, count = wire.TICK.unpack(word)
            return kind, count

    def _forgive_a_freeze(self, due: float) -> bool:
        """Whether the child has its time once more, because it was us who did not run until long after the deadline.

        A paused virtual machine or a stopped process: nobody knows how long the child ran meanwhile, or whether.
        """
        now = time.perf_counter()
        if now - due < _FROZEN_S or self._freezes >= _MAX_FREEZES:
            return False
        self._freezes += 1
        self._began += now - self._heard
        self._heard = now
        return True

    def _note(self, finished: int) -> None:
        now = time.perf_counter()
        self._windows.append((finished, now - self._heard))
        self._heard = now

    def held_s(self) -> float:
        """Seconds from the message to now."""
        return time.perf_counter() - self._began

    def waited_ms(self) -> float:
        """Milliseconds since the child was last heard of."""
        return (time.perf_counter() - self._heard) * 1000

    def repeats(self, index: int) -> bool:
        """Whether a call is the one before it again."""
        return self._batch.calls[index].repeats

    def copy(self) -> None:
        """Copy head and canonical slots of the region, once. Call it when the child has stopped writing."""
        buffer = _memory(self._batch.free_at)
        if os.preadv(self._child.region, [buffer], 0) != len(buffer):
            raise OSError("the region is shorter than it was made")  # sealed against shrinking: cannot happen
        self._region = buffer

    def load_record(self) -> tuple[LoadStatus, bytes, float]:
        """How loading went: status, its text, seconds. A record that cannot be honest counts as unfinished."""
        status, at, size, seconds = wire.LOAD.unpack_from(self._region, 0)
        if status >= len(LoadStatus) or size > wire.MAX_TEXT or not 0.0 <= seconds < wire.MAX_SECONDS:
            return LoadStatus.UNFINISHED, b"", 0.0
        return LoadStatus(status), self._fetch(at, size), seconds

    def count_finished(self) -> int:
        """Calls that have a record, up to the first that has none or a dishonest one."""
        for index in range(self.size):
            try:
                if wire.read_record(self._region, index).status is Status.UNFINISHED:
                    return index
            except MalformedError:
                return index
        return self.size

    def outcomes(self, first: int, last: int) -> list[Outcome]:
        """What calls `first` up to `last` came to."""
        records: list[Record | None] = []
        for index in range(first, last):
            try:
                records.append(wire.read_record(self._region, index))
            except MalformedError:
                records.append(None)
        times = self._times(records, first, last)
        return [
            self._outcome(first + offset, record, seconds * 1000)
            for offset, (record, seconds) in enumerate(zip(records, times, strict=True))
        ]

    def _times(self, records: list[Record | None], first: int, last: int) -> list[float]:
        """Seconds of each call: the child's own clock, but never more than ours saw, and ours where they differ.

        Within one window of ours the child may tell how the time was shared; what it leaves out beyond the slack goes
        to the last call.
        """
        out: list[float] = []
        start = 0
        for finished, window in self._windows:
            left = window
            for index in range(max(start, first), min(finished, last)):
                record = records[index - first]
                share = min(left, record.seconds if record else 0.0)
                left -= share
                if index == finished - 1 and left > _SLACK_S and start > 0:
                    share += left
                out.append(share)
            start = finished
        return (out + [0.0] * (last - first))[: last - first]

    def _outcome(self, index: int, record: Record | None, time_ms: float) -> Outcome:
        if record is None or record.status is Status.UNFINISHED:
            return Outcome(Status.UNFINISHED, End.CRASHED, time_ms=time_ms)
        expected = self._batch.calls[index].result_shape
        if record.status is Status.TOO_BIG and (record.dtype, record.shape) == (self._batch.dtype, expected):
            return Outcome(Status.UNFINISHED, End.CRASHED, time_ms=time_ms)  # what is expected has its slot: a lie
        values: NDArray[Any] | None = None
        canonical = False
        if record.status is Status.TENSOR or record.flags & wire.HAS_TENSOR:
            values, canonical = self._values(index, record)
            if values is None:
                return Outcome(Status.UNFINISHED, End.CRASHED, time_ms=time_ms)
        raw = self._fetch(*record.text) if record.text[1] else b""
        stdout = self._printed(record)
        refused = record.status is Status.REFUSED
        return Outcome(
            status=record.status,
            shape=record.shape,
            dtype=record.dtype,
            values=values,
            from_sequence=bool(record.flags & wire.FROM_SEQUENCE),
            mutated=bool(record.flags & wire.MUTATED),
            canonical=canonical,
            time_ms=time_ms,
            line=record.line,
            texts=tuple(wire.unpack_texts(raw)) if raw and not refused else (),
            refusals=tuple(wire.unpack_refusals(raw)) if refused else (),
            stdout=wire.clean_text(stdout) if stdout else "",
            stdout_cut=bool(record.flags & wire.STDOUT_CUT),
        )

    def _printed(self, record: Record) -> bytes:
        """Printed text: no more of it than is kept, whatever length the record claims."""
        kept = self._batch.stdout_bytes
        at, size = record.stdout
        return self._fetch(at, min(size, kept + 4)) if kept and size else b""

    def _values(self, index: int, record: Record) -> tuple[NDArray[Any] | None, bool]:
        """A copy of a result's values, and whether they lie in their canonical slot."""
        size = wire.ITEM_BYTES[record.dtype]
        for extent in record.shape:
            size *= extent
        expected = self._batch.expected_bytes[index]
        if not record.dtype or size > wire.room_for(expected):
            return None, False
        in_slot = record.tensor_at == self._batch.slots[index]
        canonical = in_slot and record.dtype == self._batch.dtype and size == expected
        if in_slot and size <= expected:
            source: bytes | memoryview = self._region[record.tensor_at : record.tensor_at + size]
        else:
            source = self._fetch(record.tensor_at, size)
            if len(source) != size:
                return None, False
        return _array(source, record), canonical

    def _fetch(self, at: int, size: int) -> bytes:
        """Bytes of the region, which may be fewer than asked for."""
        if at + size > wire.REGION_BYTES:
            return b""
        return os.pread(self._child.region, size, at)

    def slots(self) -> memoryview:
        """The canonical slots, as copied."""
        return self._region[wire.DATA_AT :]


def _memory(size: int) -> memoryview:
    """Zeroed memory of our own; in huge pages when it is large, for the copy then takes a third of the time."""
    if size < _LARGE:
        return memoryview(bytearray(size))
    memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    with contextlib.suppress(OSError):  # a kernel without huge pages
        memory.madvise(mmap.MADV_HUGEPAGE)
    return memoryview(memory)


def _array(source: bytes | memoryview, record: Record) -> NDArray[Any]:
    """The values in their shape; a shape without elements that numpy would refuse, (0, 2**62), as an empty vector."""
    shape = record.shape
    if math.prod(extent for extent in shape if extent) > wire.REGION_BYTES:
        shape = (0,)
    name = wire.DTYPES[record.dtype]
    if name == "bfloat16":
        wide = np.frombuffer(source, dtype=_CARRIED).astype(np.uint32) << 16
        return wide.view(np.float32).reshape(shape)
    return np.frombuffer(source, dtype=name).reshape(shape)
