"""The comparison: exactly torch.allclose in float64, and nothing that it would let through by accident."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from judge.compare import CHUNK_ELEMENTS, Expectation, difference, reason_against, within
from judge.jail import wire
from judge.jail.wire import Status
from judge.outcome import Outcome
from judge.report import Reason
from judge.request import Batch, call_for
from problems.package import Case, Tolerance

FLOATS = st.floats(-1e6, 1e6, width=32) | st.sampled_from([float("nan"), float("inf"), float("-inf"), 0.0, -0.0])
SHAPES = npst.array_shapes(min_dims=1, max_dims=3, max_side=4)
TOLERANCE = Tolerance(rtol=1e-5, atol=1e-5)


def case_with(answer: np.ndarray, tolerance: Tolerance = TOLERANCE, name: str = "secret/01-x") -> Case:
    values = np.zeros(answer.shape, dtype=np.float32)
    return Case(name, "x", {"X": values}, answer.astype(np.float64), tolerance, digest="")


def tensor_outcome(values: np.ndarray, dtype: str = "float32") -> Outcome:
    return Outcome(Status.TENSOR, shape=values.shape, dtype=wire.DTYPES.index(dtype), values=values)


@st.composite
def pairs(draw):
    shape = draw(SHAPES)
    answer = draw(npst.arrays(np.float64, shape, elements=st.floats(-1e6, 1e6)))
    output = draw(npst.arrays(np.float32, shape, elements=FLOATS))
    near = draw(st.booleans())
    if near:
        noise = draw(npst.arrays(np.float64, shape, elements=st.floats(-3e-5, 3e-5)))
        output = (answer * (1 + noise)).astype(np.float32)
    return output, answer


@st.composite
def wild_pairs(draw):
    """Infinities, NaN and the largest numbers on both sides, at the same place more often than chance has it."""
    shape = draw(SHAPES)
    largest = [float("inf"), float("-inf"), float("nan"), float(np.finfo(np.float32).max), 1.0, 0.0]
    output = draw(npst.arrays(np.float32, shape, elements=st.sampled_from(largest)))
    other = draw(npst.arrays(np.float64, shape, elements=st.sampled_from([*largest, 1e308, -1e308])))
    return output, np.where(draw(npst.arrays(np.bool_, shape)), output, other)


@given(pairs() | wild_pairs(), st.sampled_from([0.0, 1e-7, 1e-5, 1e-2, 10.0]), st.sampled_from([0.0, 1e-8, 1e-3]))
def test_within_is_allclose_in_float64(pair, rtol, atol):
    output, answer = pair
    expected = torch.allclose(torch.from_numpy(output).double(), torch.from_numpy(answer), rtol=rtol, atol=atol)
    assert within(output, answer, Tolerance(rtol, atol)) == expected


@given(st.lists(pairs(), min_size=1, max_size=5), st.binary(max_size=64))
def test_one_comparison_of_a_batch_is_that_of_each_case(cases_and_outputs, filler):
    cases = [case_with(answer) for _, answer in cases_and_outputs]
    batch = Batch([call_for(case) for case in cases], stdout_bytes=0)
    slots = bytearray(batch.free_at - wire.DATA_AT)
    slots[: len(filler)] = filler[: len(slots)]  # what lies between the slots must not matter
    for (output, _), slot in zip(cases_and_outputs, batch.slots, strict=True):
        slots[slot - wire.DATA_AT :][: output.nbytes] = output.tobytes()
        start = slot - wire.DATA_AT
        slots[start : start + output.nbytes] = output.tobytes()
    right = Expectation(batch, cases).right(memoryview(slots))
    expected = [
        within(output, case.answer, case.tolerance) for (output, _), case in zip(cases_and_outputs, cases, strict=True)
    ]
    assert list(right) == expected


def test_a_difference_in_the_last_element_of_the_last_chunk_is_seen():
    answer = np.zeros(CHUNK_ELEMENTS * 2 + 3)
    output = answer.astype(np.float32)
    assert within(output, answer, TOLERANCE)
    output[-1] = 1.0
    assert not within(output, answer, TOLERANCE)


@pytest.mark.parametrize(
    ("outcome", "reason"),
    [
        (Outcome(Status.NONE), Reason.RETURNED_NONE),
        (Outcome(Status.OTHER_TYPE, texts=("tuple",)), Reason.WRONG_TYPE),
        (tensor_outcome(np.zeros((3, 3)), "float64"), Reason.WRONG_DTYPE),
        (tensor_outcome(np.zeros((3, 1), dtype=np.float32)), Reason.WRONG_SHAPE),
        (tensor_outcome(np.zeros((0, 3), dtype=np.float32)), Reason.WRONG_SHAPE),
        (tensor_outcome(np.zeros((1, 3, 3), dtype=np.float32)), Reason.WRONG_SHAPE),
        (tensor_outcome(np.full((3, 3), np.nan, dtype=np.float32)), Reason.NON_FINITE),
        (tensor_outcome(np.full((3, 3), np.inf, dtype=np.float32)), Reason.NON_FINITE),
        (tensor_outcome(np.ones((3, 3), dtype=np.float32)), Reason.VALUES_DIFFER),
        (Outcome(Status.UNREADABLE, shape=(3, 3), dtype=1), Reason.WRONG_TYPE),
        (Outcome(Status.TOO_BIG, shape=(10**6, 10**6), dtype=1), Reason.WRONG_SHAPE),
        (tensor_outcome(np.zeros((3, 3), dtype=np.float32)), None),
    ],
)
def test_an_output_is_judged_by_type_then_dtype_then_shape_then_values(outcome, reason):
    assert reason_against(outcome, case_with(np.zeros((3, 3)))) is reason


def test_what_broadcasting_allclose_would_accept_is_a_wrong_shape():
    answer = np.ones((3, 3))
    output = np.ones((3, 1), dtype=np.float32)
    assert torch.allclose(torch.from_numpy(output).double(), torch.from_numpy(answer))
    assert reason_against(tensor_outcome(output), case_with(answer)) is Reason.WRONG_SHAPE


def test_an_infinite_answer_wants_the_same_infinity():
    answer = np.array([np.inf, 1.0])
    assert reason_against(tensor_outcome(np.array([np.inf, 1.0], dtype=np.float32)), case_with(answer)) is None
    assert (
        reason_against(tensor_outcome(np.array([-np.inf, 1.0], dtype=np.float32)), case_with(answer))
        is Reason.VALUES_DIFFER
    )


def test_a_batch_with_an_infinite_answer_is_compared_case_by_case():
    cases = [case_with(np.array([np.inf, 1.0]))]
    assert not Expectation(Batch([call_for(cases[0])], stdout_bytes=0), cases).usable


def test_the_difference_names_the_worst_element_first():
    answer = np.zeros((2, 2))
    output = np.array([[0.0, 0.5], [2.0, 0.0]], dtype=np.float32)
    gap = difference(output, answer, TOLERANCE)
    assert (gap.max_abs_error, gap.out_of_tolerance, gap.total) == (2.0, 2, 4)
    assert [each.index for each in gap.worst] == [(1, 0), (0, 1)]


def test_the_difference_of_nan_is_worst_and_its_place_is_told():
    output = np.array([[0.0, np.nan], [2.0, 0.0]], dtype=np.float32)
    gap = difference(output, np.zeros((2, 2)), TOLERANCE)
    assert gap.worst[0].index == (0, 1)
    assert gap.first_not_finite == (0, 1)
