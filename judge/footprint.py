"""What a program did on a case, small enough to keep: two programs are compared by it. Trusted side.

    CaseResult ── footprint_of ──► Footprint        same(a, b)?  the same outcome within the case's tolerance

Secret outputs are in it, so it never leaves for a student.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from judge.compare import in_float64
from judge.report import CaseResult, Reason, Verdict
from problems.package import Tolerance

MAX_ELEMENTS = 1 << 14
"""Of a longer output this many elements, evenly spread, stand for all: 70 mistakes of a package stay below 100 MB."""


@dataclass(frozen=True, slots=True)
class Kind:
    """All of a footprint but its numbers."""

    verdict: Verdict
    reason: Reason | None = None
    type_name: str | None = None
    """Of an exception or of what was returned in place of a tensor; from the fixed list of `judge.wording`."""
    dtype: str | None = None
    shape: tuple[int, ...] | None = None
    from_sequence: bool = False
    """The output is the first tensor of a tuple or list."""


@dataclass(frozen=True, slots=True)
class Footprint:
    """What a program did on one case."""

    kind: Kind
    values: NDArray[np.float64] | None = None
    """The output, flat, thinned out to MAX_ELEMENTS; None where there is none, and where it is the answer."""


Footprints = Mapping[str, Footprint]
"""Of one program, by the name of the case; skipped cases are not in it."""


def footprints_of(results: Sequence[CaseResult]) -> dict[str, Footprint]:
    """Of every case that was judged."""
    return {result.case: footprint_of(result) for result in results if _is_judged(result)}


def _is_judged(result: CaseResult) -> bool:
    return result.verdict not in (None, Verdict.SKIPPED, Verdict.JUDGE_ERROR)


def footprint_of(result: CaseResult) -> Footprint:
    """Of one judged case (its verdict is not None)."""
    verdict = result.verdict or Verdict.SKIPPED
    if verdict is Verdict.ACCEPTED:
        return Footprint(Kind(verdict))
    type_name = result.error_type or result.returned_type
    if result.output is None:
        return Footprint(Kind(verdict, result.reason, type_name))
    shape = tuple(result.output.shape)
    kind = Kind(verdict, result.reason, type_name, result.output_dtype, shape, result.output_from_sequence)
    return Footprint(kind, thinned(result.output))


def thinned(output: NDArray[Any]) -> NDArray[np.float64]:
    """The elements that stand for an output: all, or MAX_ELEMENTS evenly spread. A complex number gives two."""
    flat = np.ascontiguousarray(output).reshape(-1)
    if flat.size > MAX_ELEMENTS:
        flat = flat[np.arange(MAX_ELEMENTS) * flat.size // MAX_ELEMENTS]
    if flat.dtype.kind == "c":
        flat = flat.view(flat.real.dtype)
    return in_float64(flat)


def same(one: Footprint, other: Footprint, tolerance: Tolerance, largest: float) -> bool:
    """Whether two programs had the same outcome on a case.

    Equal outputs are those within `tolerance`, which was made for an answer whose largest element is `largest`: an
    output of larger numbers gets more. NaN equals NaN and each infinity itself.
    """
    if one.kind != other.kind:
        return False
    if one.values is None or other.values is None:
        return one.values is other.values
    return alike(one.values, other.values, tolerance, largest)


def alike(one: NDArray[np.float64], other: NDArray[np.float64], tolerance: Tolerance, largest: float) -> bool:
    """As `same`, for the elements of two outputs of one shape."""
    finite = np.isfinite(one) & np.isfinite(other)
    top = float(np.max(np.abs(other), initial=0.0, where=finite))
    scale = max(1.0, top / largest) if largest > 0 else 1.0
    with np.errstate(invalid="ignore", over="ignore"):  # of what is not finite
        close = np.abs(one - other) <= tolerance.atol * scale + tolerance.rtol * np.abs(other)
    return bool((finite & close | (one == other) | np.isnan(one) & np.isnan(other)).all())
