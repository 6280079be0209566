"""What the structure of wrong outputs shows when they are those of no known mistake. Trusted side.

A detector speaks only when it holds on every case that failed. What it says is made of fixed words; numbers are added
from shown cases only, because a student must not learn a secret case from its diagnosis.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from judge.compare import in_float64
from judge.footprint import alike
from judge.report import NONDETERMINISTIC, CaseResult, Diagnosis, Reason, Report, Verdict
from problems.package import Case

MAX_ELEMENTS = 1 << 20
"""Longer outputs are not looked at: this is on the student's way."""
PREFIX = "structure/"

Output = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Failed:
    """One case that failed, with what was judged before it."""

    result: CaseResult
    case: Case
    before: tuple[tuple[Case, CaseResult], ...]

    @property
    def output(self) -> Output | None:
        """The output as float64; None when there is none that could be looked at."""
        output = self.result.output
        if output is None or output.dtype.kind not in "fiu" or not 0 < output.size <= MAX_ELEMENTS:
            return None
        return in_float64(output)

    def is_answer(self, output: Output | None) -> bool:
        """Whether this is the answer, shape and all."""
        return output is not None and output.shape == self.case.answer.shape and self.agrees(output, self.case.answer)

    def agrees(self, one: Output, other: Output) -> bool:
        """Whether the elements agree within the case's tolerance, in their order."""
        if one.size != other.size:
            return False
        largest = float(np.max(np.abs(self.case.answer)))
        return alike(one.reshape(-1), other.reshape(-1), self.case.tolerance, largest)


def structural_diagnosis(report: Report, cases: Mapping[str, Case]) -> Diagnosis | None:
    """The first thing that holds on every failed case; None when nothing does."""
    if NONDETERMINISTIC in report.notes:
        return _diagnosis(_BY_CHANCE, None)
    failed = _failed(report, cases)
    if not failed or any(each.result.verdict is not Verdict.WRONG_ANSWER for each in failed):
        return None
    for detector in _DETECTORS:
        if all(detector.holds(each) for each in failed):
            return _diagnosis(detector, next((each for each in failed if each.result.shown), None))
    return None


def _diagnosis(detector: Detector, shown: Failed | None) -> Diagnosis:
    detail = detector.more(shown) if detector.more is not None and shown is not None else ""
    return Diagnosis(PREFIX + detector.name, detector.title, f"{detector.message} {detail}".strip(), None)


def _failed(report: Report, cases: Mapping[str, Case]) -> list[Failed]:
    judged = [
        (cases[result.case], result)
        for result in report.cases
        if result.case in cases and result.verdict not in (None, Verdict.SKIPPED)
    ]
    # Shown cases run first, see judge.plan.
    judged.sort(key=lambda pair: not pair[0].is_shown)
    return [
        Failed(result, case, tuple(judged[:place]))
        for place, (case, result) in enumerate(judged)
        if result.verdict is not Verdict.ACCEPTED
    ]


# ---------------------------------------------------------------- detectors: does it hold on this case?
def _sequence(each: Failed) -> bool:
    return each.result.output_from_sequence and each.is_answer(each.output)


def _other_dtype(each: Failed) -> bool:
    return each.result.reason is Reason.WRONG_DTYPE and each.is_answer(each.output)


def _transposed(each: Failed) -> bool:
    answer = each.case.answer
    if not _is_tensor(each) or answer.ndim < 2:  # noqa: PLR2004 - what has two dimensions to swap
        return False
    output = each.output
    turned = np.swapaxes(answer, -1, -2)
    return output is not None and output.shape == turned.shape and each.agrees(output, np.ascontiguousarray(turned))


def _squeezed(each: Failed) -> bool:
    return _reshaped(each) and _without_ones(each.result.output) == _without_ones(each.case.answer)


def _reshaped(each: Failed) -> bool:
    output = each.output
    return each.result.reason is Reason.WRONG_SHAPE and output is not None and each.agrees(output, each.case.answer)


def _remembered(each: Failed) -> bool:
    """The answer of an earlier case, which the submission had right."""
    output = each.output
    if output is None or not _is_tensor(each):
        return False
    return any(
        result.verdict is Verdict.ACCEPTED and case.answer.shape == output.shape and each.agrees(output, case.answer)
        for case, result in each.before
    )


def _rows(each: Failed) -> bool:
    return each.result.reason is Reason.VALUES_DIFFER and _factors(each) is not None


def _factors(each: Failed) -> Output | None:
    """What each row of the answer was multiplied by; None when the rows are no multiples of the right ones."""
    output, answer = each.output, each.case.answer
    if output is None or output.shape != answer.shape or answer.ndim < 1 or answer.shape[-1] < 2:  # noqa: PLR2004
        return None
    square = np.sum(answer * answer, axis=-1, keepdims=True)
    factors: Output = np.divide(
        np.sum(output * answer, axis=-1, keepdims=True), square, where=square > 0, out=0 * square
    )
    if not factors.any() or not each.agrees(output, factors * answer):
        return None
    return factors.reshape(-1)


def _not_finite(each: Failed) -> bool:
    return each.result.reason is Reason.NON_FINITE


def _is_tensor(each: Failed) -> bool:
    return each.result.reason in (Reason.WRONG_SHAPE, Reason.VALUES_DIFFER) and not each.result.output_from_sequence


def _without_ones(array: NDArray[np.generic] | None) -> tuple[int, ...]:
    return () if array is None else tuple(size for size in array.shape if size != 1)


# ---------------------------------------------------------------- numbers, from shown cases only
def _in_case(each: Failed, words: str) -> str:
    return f"In {each.case.name} {words}"


def _say_shapes(each: Failed) -> str:
    got = () if each.result.output is None else each.result.output.shape
    return _in_case(each, f"your output has shape {tuple(got)}, expected {tuple(each.case.answer.shape)}.")


def _say_dtype(each: Failed) -> str:
    return _in_case(each, f"your output is {each.result.output_dtype}, expected float32.")


def _say_factor(each: Failed) -> str:
    factors = _factors(each)
    return "" if factors is None else _in_case(each, f"the first row is {factors[0]:.4g} times the right one.")


def _say_index(each: Failed) -> str:
    output = each.output
    if output is None or output.shape != each.case.answer.shape:
        return ""
    places = np.argwhere(~np.isfinite(output))
    if not places.size:
        return ""
    index = tuple(int(place) for place in places[0])
    return _in_case(each, f"the first such element is {output[index]} at {list(index)}.")


@dataclass(frozen=True, slots=True)
class Detector:
    """Something that a failed case may show."""

    name: str
    holds: Callable[[Failed], bool]
    title: str
    message: str
    """Fixed words."""
    more: Callable[[Failed], str] | None = None
    """A sentence with numbers about a shown case."""


_BY_CHANCE = Detector(
    "by-chance",
    lambda _: True,
    "Another result on a second call",
    "Called twice with the same inputs, your function returns two different outputs. Look for dropout that is left "
    "on, random numbers, or something that is kept between calls.",
)
_DETECTORS = (
    Detector(
        "first-of-sequence",
        _sequence,
        "Right, but inside a tuple or list",
        "The first tensor of what you return is the answer. Return that tensor alone.",
    ),
    Detector(
        "other-dtype",
        _other_dtype,
        "Right values in another dtype",
        "The values are right and the dtype is not: convert the result back to the dtype of the inputs before you "
        "return it.",
        _say_dtype,
    ),
    Detector(
        "transposed",
        _transposed,
        "The output transposed",
        "Your output is the answer with its last two dimensions swapped. Look at the order of the last product, or "
        "transpose once less.",
        _say_shapes,
    ),
    Detector(
        "squeezed",
        _squeezed,
        "Dimensions of size 1 lost or added",
        "The values are right, and dimensions of size 1 are missing or too many. Look for squeeze, unsqueeze and "
        "keepdim.",
        _say_shapes,
    ),
    Detector(
        "reshaped",
        _reshaped,
        "Dimensions joined or split",
        "The values are right and in the right order, but dimensions are joined or split. Give the result the shape "
        "that is asked for.",
        _say_shapes,
    ),
    Detector(
        "remembered",
        _remembered,
        "The result of an earlier call",
        "Your output is that of an earlier call with other inputs. Something is kept between calls, such as results "
        "by the shapes of inputs: compute each result from the numbers of its call.",
    ),
    Detector(
        "multiple-rows",
        _rows,
        "Each row a multiple of the right one",
        "Each row of your output is the right row times a number. If rows are weighted sums, their weights do not "
        "sum to 1: look for a division that is missing, is done twice or goes over another dimension.",
        _say_factor,
    ),
    Detector(
        "not-finite",
        _not_finite,
        "NaN or infinity",
        "Where your output is wrong it has NaN or infinity. Look for an exponential that overflows, a division by "
        "0, or a logarithm or root of a number that is not positive.",
        _say_index,
    ),
)
