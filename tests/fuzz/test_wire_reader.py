"""The supervisor's reader against hostile regions: no crash, and no verdict that the bytes do not deserve.

A region is a real memfd, written by a child that never was: records of noise, records with one lie in them, texts and
tensors anywhere. What the supervisor makes of it is compared with a second reader, written here from the format alone.
"""

from __future__ import annotations

import os
import random
import socket
import struct
from contextlib import closing
from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.children import Budget, Child, Death
from judge.execute import end_of
from judge.jail import wire
from judge.outcome import End
from judge.plan import plan_for_cases
from judge.report import Verdict
from judge.results import Results
from judge.talk import Stop, Talk
from problems.package import Problem

LONG_BYTES = 10_000_000
INTERESTING = (0, 1, 2, 3, 4, 7, 8, 9, 12, 13, 64, 127, 128, 255, 2**16, 2**20, wire.REGION_BYTES - 1,
               wire.REGION_BYTES, 2**31 - 1, 2**31, 2**32 - 1, 2**53, 2**63, 2**64 - 1)  # fmt: skip
TIMES = (0.0, 1e-9, 0.5, -0.0, -1.0, 1e6, 1e308, float("inf"), float("-inf"), float("nan"))
FIELDS = 20
"""status, dtype, dimensions, flags, offset, seconds, line, four of texts, eight sizes, and one place for noise."""


@dataclass
class Reader:
    """A talk with a child that is a memfd and one end of a socket."""

    problem: Problem

    def __post_init__(self) -> None:
        self.plan = plan_for_cases(self.problem, self.problem.cases)
        (self.number, self.batch) = next(
            (number, batch) for number, batch in enumerate(self.plan.batches) if not batch.secret
        )
        self.region = os.memfd_create("hostile")
        self.end, self.peer = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.child = Child(1, None, Budget(512, 22), self.end, self.region)
        self.answers = [self.plan.cases[entry.case] for entry in self.plan.entries[self.number]]

    def close(self) -> None:
        self.end.close()
        self.peer.close()
        os.close(self.region)

    def write(self, *parts: tuple[int, bytes]) -> None:
        """A fresh region with these bytes at these places."""
        os.ftruncate(self.region, 0)
        os.ftruncate(self.region, wire.REGION_BYTES)
        for at, raw in parts:
            os.pwrite(self.region, raw[: max(0, wire.REGION_BYTES - at)], at)

    def verdicts(self) -> list[Verdict | None]:
        """What the judge makes of every case of the batch."""
        talk = Talk(self.child, self.batch, self.problem.limits, 0.0)
        talk.copy()
        talk.load_record()
        talk.count_finished()
        outcomes = talk.outcomes(0, talk.size)
        if any(outcome.status is wire.Status.REFUSED for outcome in outcomes):
            return [Verdict.COMPILE_ERROR] * len(self.deserved())  # the execution ends there, before any comparison
        results = Results(self.problem, self.plan, None)
        results.add(self.number, 0, outcomes, talk.slots())
        return [results._by_case[entry.case].verdict for entry in self.plan.entries[self.number] if not entry.second]

    def deserved(self) -> list[bool]:
        """Whether the bytes of each case are a tensor within tolerance of the answer, read without the judge's code."""
        out = []
        for index, entry in enumerate(self.plan.entries[self.number]):
            if not entry.second:
                out.append(self._is_right(index, self.plan.cases[entry.case]))
        return out

    def _is_right(self, index: int, case) -> bool:
        raw = os.pread(self.region, 128, 64 + 128 * index)
        status, dtype, rank, _, at = struct.unpack_from("<4IQ", raw)
        shape = struct.unpack_from("<8Q", raw, 52)[:rank]
        if (status, dtype, shape) != (1, 1, case.answer.shape):
            return False
        held = os.pread(self.region, case.answer.size * 4, at) if at < wire.REGION_BYTES else b""
        if len(held) != case.answer.size * 4:
            return False
        values = np.frombuffer(held, dtype="<f4")
        with np.errstate(all="ignore"):
            error = np.abs(values.astype(np.float64).reshape(shape) - case.answer)
        return bool((error <= case.tolerance.atol + case.tolerance.rtol * np.abs(case.answer)).all())


@pytest.fixture(scope="module")
def reader(attention):
    with closing(Reader(replace(attention, cases=attention.samples))) as reader:
        yield reader


def record(reader: Reader, index: int, lies: list[tuple[int, int | float]]) -> bytes:
    """An honest record of a right result with some of its fields replaced."""
    shape = reader.answers[index].answer.shape
    sizes = [*shape, 0, 0, 0, 0, 0, 0, 0, 0][:8]
    fields = [1, 1, len(shape), 0, reader.batch.slots[index], 0.001, 0, 0, 0, 0, 0, *sizes]
    for place, value in lies:
        if place == 5:
            fields[place] = float(value)
        elif place < len(fields):
            fields[place] = int(value) & (2**64 - 1 if place == 4 or place > 10 else 2**32 - 1)
    return wire.RECORD.pack(*fields)


def honest_values(reader: Reader, index: int, nudge: float) -> tuple[int, bytes]:
    """The answer of a call, or something beside it, in its slot."""
    values = (reader.answers[index].answer + nudge).astype("<f4")
    return reader.batch.slots[index], values.tobytes()


def agree(reader: Reader) -> None:
    """No crash, and accepted only what deserves it."""
    for verdict, right in zip(reader.verdicts(), reader.deserved(), strict=True):
        assert (verdict is Verdict.ACCEPTED) <= right
        assert verdict is not Verdict.JUDGE_ERROR


numbers = st.sampled_from(INTERESTING) | st.integers(0, 2**64 - 1)
lies = st.lists(
    st.one_of(
        st.tuples(st.integers(0, FIELDS).filter(lambda place: place != 5), numbers),
        st.tuples(st.just(5), st.sampled_from(TIMES) | st.floats()),
    ),
    max_size=3,
)
nudges = st.sampled_from([0.0, 0.0, 1e-9, 1e-3, 1.0, float("nan"), float("inf")])


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_a_record_with_lies_in_it_is_accepted_only_if_its_values_are_right(reader, data):
    parts = []
    for index in range(len(reader.batch.calls)):
        raw = data.draw(
            st.binary(min_size=128, max_size=128) | lies.map(lambda each, at=index: record(reader, at, each))
        )
        parts.append((wire.RECORDS_AT + wire.RECORD_STRIDE * index, raw))
        parts.append(honest_values(reader, index, data.draw(nudges)))
    parts.append((data.draw(st.integers(0, wire.REGION_BYTES - 1)), data.draw(st.binary(max_size=200))))
    reader.write(*parts)
    agree(reader)


def test_an_honest_region_is_accepted(reader):
    calls = range(len(reader.batch.calls))
    records = [(wire.RECORDS_AT + wire.RECORD_STRIDE * index, record(reader, index, [])) for index in calls]
    reader.write(*records, *(honest_values(reader, index, 0.0) for index in calls))
    assert set(reader.verdicts()) == {Verdict.ACCEPTED}
    assert all(reader.deserved())


@settings(max_examples=60, deadline=None)
@given(st.binary(min_size=wire.LOAD.size, max_size=wire.LOAD.size), st.binary(max_size=300))
def test_a_hostile_load_record_is_a_status_with_bounded_words(reader, head, text):
    reader.write((0, head), (wire.DATA_AT, text))
    talk = Talk(reader.child, reader.batch, reader.problem.limits, 0.0)
    talk.copy()
    status, raw, seconds = talk.load_record()
    assert status in wire.LoadStatus
    assert len(raw) <= wire.MAX_TEXT
    assert 0 <= seconds < wire.MAX_SECONDS
    wire.unpack_texts(raw)
    wire.unpack_refusals(raw)


ticks = st.one_of(
    st.binary(max_size=8),
    st.builds(wire.TICK.pack, st.sampled_from([wire.PROGRESS, wire.DONE, wire.ARMED, b"N"]), st.integers(0, 2**32 - 1)),
    st.builds(wire.TICK.pack, st.sampled_from([wire.PROGRESS, wire.DONE]), st.integers(0, 6)),
)


@settings(max_examples=100, deadline=None)
@given(st.lists(ticks, max_size=12))
def test_whatever_the_child_says_the_talk_ends_with_a_reason(reader, words):
    """Words that are there before the question are as good as any; then the child hangs up."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with ours, theirs:
        for word in words:
            theirs.send(word)
        theirs.shutdown(socket.SHUT_WR)
        talk = Talk(replace(reader.child, socket=ours), reader.batch, reader.problem.limits, 0.0)
        heard = []
        stop = talk.hold(("f", (), (), True), b"", heard.append)
    assert stop in (Stop.DONE, Stop.LYING, Stop.GONE)
    assert heard == sorted(set(heard))
    assert all(0 < count <= talk.size for count in heard)
    if stop is Stop.DONE:
        assert any(word[:1] == wire.DONE for word in words)
    death = Death(9, 0.0, 0)
    if stop is not Stop.DONE:
        assert end_of(stop, death, reader.child) in End


@pytest.mark.long
def test_ten_million_bytes_of_hostile_records_deserve_what_they_get(reader):
    chance = random.Random(7)  # noqa: S311 - the same bytes in every run
    calls = range(len(reader.batch.calls))
    written = 0
    while written < LONG_BYTES:
        parts = []
        for index in calls:
            raw = record(reader, index, [_lie(chance) for _ in range(chance.choice((0, 1, 1, 2, 3)))])
            if chance.random() < 0.2:
                raw = chance.randbytes(wire.RECORD_STRIDE)
            parts.append((wire.RECORDS_AT + wire.RECORD_STRIDE * index, raw))
            parts.append(honest_values(reader, index, chance.choice((0.0, 0.0, 1e-3, float("nan")))))
        parts.append((chance.choice((0, wire.DATA_AT, chance.randrange(wire.REGION_BYTES))), chance.randbytes(2000)))
        written += sum(len(raw) for _, raw in parts)
        reader.write(*parts)
        agree(reader)


def _lie(chance: random.Random) -> tuple[int, int | float]:
    place = chance.randrange(FIELDS)
    if place == 5:
        return place, chance.choice(TIMES)
    return place, chance.choice((*INTERESTING, chance.getrandbits(64)))


def test_a_signalling_nan_is_no_number_and_no_trouble(reader):
    """Only a child that writes the region itself leaves one; numpy warns where one is converted."""
    calls = range(len(reader.batch.calls))
    nan = struct.pack("<I", 0x7F800001) * reader.answers[0].answer.size
    records = [(wire.RECORDS_AT + wire.RECORD_STRIDE * index, record(reader, index, [])) for index in calls]
    reader.write(*records, *((reader.batch.slots[index], nan) for index in calls))
    assert set(reader.verdicts()) == {Verdict.WRONG_ANSWER}


@pytest.mark.parametrize("status", wire.Status)
def test_a_record_of_every_status_with_the_right_shape_and_nothing_else_is_judged(reader, status):
    """TOO_BIG for a result of exactly the expected size once had no words."""
    calls = range(len(reader.batch.calls))
    at = wire.RECORDS_AT
    lie = [(0, status)]
    reader.write(*((at + wire.RECORD_STRIDE * index, record(reader, index, lie)) for index in calls))
    assert set(reader.verdicts()).isdisjoint({Verdict.ACCEPTED, Verdict.JUDGE_ERROR})
