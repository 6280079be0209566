"""Is this output the answer? Trusted side; the only place where outputs and answers meet.

In this order: exact tensor → dtype → shape (no broadcasting) → finite where the answer is finite → torch.allclose in
float64. Bare `torch.allclose` would broadcast, raise on a dtype mismatch, and by default reject 15-83 % of right
float32 runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from judge.jail import wire
from judge.jail.wire import Status
from judge.outcome import Outcome
from judge.report import Reason, WorstElement
from judge.request import Batch
from problems.package import Case, Float64Array, Tolerance

CHUNK_ELEMENTS = 1 << 17
"""1 MiB of float64 at a time stays in the processor's cache: 64 MB take a third of the time of one piece."""
MAX_VECTOR = 1 << 20
"""A batch with more expected elements than this is compared case by case."""
_SHOWN_WORST = 5


def within(output: NDArray[Any], answer: NDArray[np.float64], tolerance: Tolerance) -> bool:
    """torch.allclose of two arrays of one shape, in float64, in chunks (allclose of a whole is allclose of its parts).

    NaN equals nothing, not even NaN.
    """
    left, right = output.reshape(-1), answer.reshape(-1)
    scratch = np.empty((2, min(right.size, CHUNK_ELEMENTS)))
    parts = (slice(start, start + CHUNK_ELEMENTS) for start in range(0, right.size, CHUNK_ELEMENTS))
    return all(
        _clearly_within(left[part], right[part], tolerance, scratch) or _allclose(left[part], right[part], tolerance)
        for part in parts
    )


def _clearly_within(output: NDArray[Any], answer: Float64Array, tolerance: Tolerance, scratch: Float64Array) -> bool:
    """Whether every error is below what is allowed, in a third of allclose's time. False says nothing.

    Below, not equal: where an answer or an output is infinite or NaN, and at the very edge, allclose has the word.
    """
    error, allowed = scratch[:, : answer.size]
    with np.errstate(invalid="ignore", over="ignore"):
        np.subtract(output, answer, out=error, dtype=np.float64)
        np.abs(error, out=error)
        np.abs(answer, out=allowed)
        np.multiply(allowed, tolerance.rtol, out=allowed)
        np.add(allowed, tolerance.atol, out=allowed)
        return bool((error < allowed).all())


def _allclose(output: NDArray[Any], answer: NDArray[np.float64], tolerance: Tolerance) -> bool:
    import torch  # noqa: PLC0415 - takes 2 s: zygotes start meanwhile, see Judge.__enter__

    got, expected = torch.from_numpy(in_float64(output)), torch.from_numpy(np.array(answer))
    return torch.allclose(got, expected, rtol=tolerance.rtol, atol=tolerance.atol)


def in_float64(values: NDArray[Any]) -> Float64Array:
    """A copy in float64. A signalling NaN, which only a hostile child writes, becomes a quiet one without a word."""
    with np.errstate(invalid="ignore"):
        return values.astype(np.float64)


def reason_against(outcome: Outcome, case: Case) -> Reason | None:
    """Why a call that returned is not right; None when it is. `outcome` has a record (no End) and raised nothing."""
    if outcome.status is Status.NONE:
        return Reason.RETURNED_NONE
    if outcome.status is Status.OTHER_TYPE:
        return Reason.WRONG_TYPE
    expected_dtype = "float32"
    if outcome.dtype and wire.DTYPES[outcome.dtype] != expected_dtype:
        return Reason.WRONG_DTYPE
    if outcome.status is Status.UNREADABLE:
        return Reason.WRONG_TYPE
    if outcome.shape != case.answer.shape or outcome.values is None:
        return Reason.WRONG_SHAPE
    if within(outcome.values, case.answer, case.tolerance):
        return None
    finite = np.isfinite(outcome.values) | ~np.isfinite(case.answer)
    return Reason.VALUES_DIFFER if finite.all() else Reason.NON_FINITE


class Expectation:
    """What a batch of float32 calls should leave in its canonical slots, as one vector with its tolerances."""

    def __init__(self, batch: Batch, cases: Sequence[Case]) -> None:
        """`cases[i]` is the case of `batch.calls[i]`."""
        self._starts = np.array([(slot - wire.DATA_AT) // 4 for slot in batch.slots], dtype=np.intp)
        count = (batch.free_at - wire.DATA_AT) // 4
        finite = all(np.isfinite(case.answer).all() for case in cases)
        self.usable = bool(cases) and count <= MAX_VECTOR and finite and batch.dtype == wire.FLOAT32
        if not self.usable:
            return
        self._answers = np.zeros(count)
        self._tolerances = np.full(count, np.inf)
        for start, case in zip(self._starts, cases, strict=True):
            part = slice(start, start + case.answer.size)
            self._answers[part] = case.answer.reshape(-1)
            self._tolerances[part] = case.tolerance.atol + case.tolerance.rtol * np.abs(self._answers[part])

    def right(self, slots: memoryview) -> NDArray[np.bool_]:
        """For each call: whether its slot holds its answer within tolerance. Slots of other calls do not matter."""
        got = in_float64(np.frombuffer(slots, dtype=np.float32))
        with np.errstate(invalid="ignore"):  # inf - inf and NaN are simply not within tolerance
            close = np.abs(got - self._answers) <= self._tolerances
        # Padding between slots is never written by an honest child; what a lying one puts there must not matter.
        close |= np.isinf(self._tolerances)
        return np.logical_and.reduceat(close, self._starts)


@dataclass(frozen=True, slots=True)
class Difference:
    """How far an output of the right shape is from the answer."""

    max_abs_error: float
    """NaN when an element is not a number."""
    out_of_tolerance: int
    total: int
    worst: tuple[WorstElement, ...]
    first_not_finite: tuple[int, ...] | None


def difference(output: NDArray[Any], answer: NDArray[np.float64], tolerance: Tolerance) -> Difference:
    """Measure; both arrays have one shape with at least one element."""
    got = in_float64(output)
    with np.errstate(invalid="ignore", over="ignore", divide="ignore"):
        error = np.abs(got - answer)
        allowed = tolerance.atol + tolerance.rtol * np.abs(answer)
        out = ~(error <= allowed)
        ranked = np.where(np.isnan(error), np.inf, error / allowed).reshape(-1)
    count = int(out.sum())
    order = np.argsort(-ranked, kind="stable")[: min(_SHOWN_WORST, count)]
    worst = tuple(_element(int(flat), got, answer) for flat in order)
    bad = np.flatnonzero(~np.isfinite(got) & np.isfinite(answer))
    first = _index(int(bad[0]), got.shape) if bad.size else None
    return Difference(float(error.max()), count, got.size, worst, first)


def _index(flat: int, shape: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(int(each) for each in np.unravel_index(flat, shape))


def _element(flat: int, got: NDArray[np.float64], answer: NDArray[np.float64]) -> WorstElement:
    index = _index(flat, got.shape)
    return WorstElement(index, float(answer[index]), float(got[index]))
