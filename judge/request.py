"""Turns cases into the messages that a child gets, once per revision. Trusted side.

A Batch holds the inputs of some cases and, on this side only, what is expected of their results: canonical slots in
the region, and all float32 answers as one padded float64 vector, so that a batch of right results is judged by one
subtraction.
"""

from __future__ import annotations

import fcntl
import marshal
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from judge.errors import JudgeError
from judge.jail import wire
from problems.package import TRANSPOSED, Case, Problem

_SEALS = fcntl.F_SEAL_WRITE | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL
Start = tuple[str, tuple[tuple[str, str], ...], tuple[str, ...], bool]
"""Function, forbidden names with messages, extra imports, whether the policy applies: `jail.serving.Start`."""
Spec = tuple[tuple[tuple[tuple[int, ...], tuple[int, ...], int], ...], int, int, int]
"""One call on the wire: `jail.serving.CaseSpec`."""
_FIRST_SEED, _SECOND_SEED = 0x5EED, 0xF00D


@dataclass(frozen=True, slots=True)
class Call:
    """One call of the function: arguments in order, and what size of result is expected."""

    arguments: tuple[NDArray[np.floating], ...]
    layouts: tuple[str | None, ...]
    result_shape: tuple[int, ...]
    seed: int = _FIRST_SEED
    repeats: bool = False
    """The call before it again: pointless when that one ended its child."""


def call_for(case: Case) -> Call:
    """The call that a case makes."""
    return Call(
        tuple(case.inputs.values()),
        tuple(case.layout.get(name) for name in case.inputs),
        case.answer.shape,
    )


def second_call(case: Case) -> Call:
    """The same call reseeded differently, for finding out whether a result is a matter of chance."""
    return replace(call_for(case), seed=_SECOND_SEED, repeats=True)


class Batch:
    """Some calls as one message: table and inputs. `close` it to give back its memfd."""

    def __init__(
        self, calls: Sequence[Call], dtype: int = wire.FLOAT32, *, stdout_bytes: int, secret: bool = False
    ) -> None:
        self.calls = tuple(calls)
        self.stdout_bytes = stdout_bytes
        self.secret = secret
        """Whether the child knows secret inputs from here on: none of its words may reach a student."""
        self.expected_bytes = tuple(_size(call.result_shape) * wire.ITEM_BYTES[dtype] for call in calls)
        self.dtype = dtype
        body, specs = self._lay_out(np.dtype(wire.DTYPES[dtype]))
        self._specs = tuple(specs)
        self._body_bytes = len(body)
        self._body = b""
        self._memfd: int | None = None
        if len(body) <= wire.INLINE_BYTES:
            self._body = bytes(body)
        else:
            self._memfd = _sealed(body)
        self._tables = {tick: self._table(None, tick) for tick in (False, True)}

    def _lay_out(self, dtype: np.dtype[np.floating]) -> tuple[bytearray, list[Spec]]:
        body = bytearray()
        specs: list[Spec] = []
        slot_at = wire.DATA_AT
        slots: list[int] = []
        for call, expected in zip(self.calls, self.expected_bytes, strict=True):
            inputs = []
            for array, layout in zip(call.arguments, call.layouts, strict=True):
                stored = np.ascontiguousarray(array.swapaxes(-1, -2) if layout == TRANSPOSED else array, dtype=dtype)
                inputs.append((array.shape, _strides(array.shape, layout), len(body) // dtype.itemsize))
                body += stored.tobytes()
                body += bytes(-len(body) % wire.ALIGN)
            specs.append((tuple(inputs), slot_at, expected, call.seed))
            slots.append(slot_at)
            slot_at = wire.aligned(slot_at + expected)
        self.slots = tuple(slots)
        self.free_at = slot_at
        """End of the canonical slots: what one read of the region must cover."""
        return body, specs

    def _table(self, start: Start | None, every_tick: bool) -> bytes:  # noqa: FBT001 - one field of the table
        return marshal.dumps((start, self._specs, self.dtype, self.free_at, self.stdout_bytes, every_tick))

    def message(self, start: Start | None, source: bytes, *, every_tick: bool) -> list[bytes]:
        """The parts of one message, to be sent as one."""
        table = self._tables[every_tick] if start is None else self._table(start, every_tick)
        head = wire.REQUEST.pack(len(table), len(source), self._body_bytes, int(self._memfd is None))
        return [head.ljust(wire.REQUEST_HEAD, b"\0"), self._body, table, source]

    def from_call(self, first: int) -> Batch:
        """This batch without its first calls."""
        if first == 0:
            return self
        return Batch(self.calls[first:], self.dtype, stdout_bytes=self.stdout_bytes, secret=self.secret)

    @contextmanager
    def opened(self) -> Iterator[list[int]]:
        """Descriptors that travel with the message; JudgeError when they cannot be had.

        Opened anew each time: one open file handed to every child has one offset, a mailbox between submissions.
        """
        if self._memfd is None:
            yield []
            return
        try:
            descriptor = os.open(f"/proc/self/fd/{self._memfd}", os.O_RDONLY | os.O_CLOEXEC)
        except OSError as error:
            raise JudgeError(f"large inputs cannot be handed over: {error}") from error
        try:
            yield [descriptor]
        finally:
            os.close(descriptor)

    def close(self) -> None:
        """Give back the memfd."""
        if self._memfd is not None:
            os.close(self._memfd)
            self._memfd = None

    def __del__(self) -> None:
        self.close()


def _strides(shape: tuple[int, ...], layout: str | None) -> tuple[int, ...]:
    """Strides in elements, as the child's view has them."""
    stored = (*shape[:-2], shape[-1], shape[-2]) if layout == TRANSPOSED else shape
    strides = [1] * len(stored)
    for axis in range(len(stored) - 2, -1, -1):
        strides[axis] = strides[axis + 1] * stored[axis + 1]
    if layout == TRANSPOSED:
        strides[-1], strides[-2] = strides[-2], strides[-1]
    return tuple(strides)


def _size(shape: tuple[int, ...]) -> int:
    size = 1
    for extent in shape:
        size *= extent
    return size


def _sealed(body: bytearray) -> int:
    """The bytes as a memfd that nobody can change any more."""
    descriptor = os.memfd_create("inputs", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    view = memoryview(body)
    while view:
        view = view[os.write(descriptor, view) :]
    fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, _SEALS)
    return descriptor


def start_of(problem: Problem, *, restricted: bool) -> Start:
    """What the first message says of a problem: nothing that is secret."""
    forbid = tuple((each.name, each.message) for each in problem.policy.forbid)
    return (problem.entry_point.function, forbid, problem.policy.imports, restricted)


def split(
    cases: Sequence[Case], *, limit: int = wire.MAX_CASES - 1, room: int = wire.REGION_BYTES // 2
) -> list[list[Case]]:
    """Cases in runs that fit one message.

    Few enough records, results that fit the region, and inputs that stay inline unless one case alone is larger.
    """
    runs: list[list[Case]] = []
    inputs = results = 0
    for case in cases:
        size = sum(array.nbytes + wire.ALIGN for array in case.inputs.values())
        result = case.answer.size * 4 + wire.ALIGN
        if not runs or len(runs[-1]) >= limit or inputs + size > wire.INLINE_BYTES or results + result > room:
            runs.append([])
            inputs = results = 0
        runs[-1].append(case)
        inputs += size
        results += result
    return runs


def arguments_of(problem: Problem, inputs: Mapping[str, NDArray[np.floating]]) -> tuple[NDArray[np.floating], ...]:
    """Inputs by name in the order of the entry point's parameters."""
    return tuple(inputs[parameter.name] for parameter in problem.entry_point.parameters)
