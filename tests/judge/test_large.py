"""Results of many megabytes, whose memory is had in other ways than that of small ones."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from judge.grade import Judge
from judge.options import JudgeOptions
from judge.report import Reason, Verdict
from judge.selftest import tiny_problem
from problems.package import Case, EntryPoint, Limits, Parameter, Tolerance
from problems.shapes import SymbolicShape

ROWS, COLUMNS = 2100, 1024  # 8.2 MiB


@pytest.fixture(scope="module")
def judge():
    with Judge(JudgeOptions(zygotes=1)) as judge:
        yield judge


@pytest.fixture(scope="module")
def doubling():
    """One case: twice the input."""
    values = np.random.default_rng(1).standard_normal((ROWS, COLUMNS), dtype=np.float32)
    shape = SymbolicShape.parse("n, m")
    case = Case("secret/01", "rows", {"X": values}, values.astype(np.float64) * 2, Tolerance(1e-6, 1e-6), "")
    entry = EntryPoint("twice", (Parameter("X", "float32", shape),), "float32", shape)
    limits = Limits(time_s=20.0, memory_mib=512)
    return replace(tiny_problem(), slug="twice", revision="1", entry_point=entry, cases=(case,), limits=limits)


def verdict(judge, doubling, body: str):
    report = judge.grade(doubling, f"import torch\n\n\ndef twice(X):\n{body}".encode())
    return report.cases[0]


def test_a_large_right_result_is_accepted(judge, doubling):
    assert verdict(judge, doubling, "    return X * 2\n").verdict is Verdict.ACCEPTED


@pytest.mark.parametrize("place", ["0, 0", "1000, 511", "-1, -1"])
def test_one_wrong_element_of_a_large_result_is_found(judge, doubling, place):
    result = verdict(judge, doubling, f"    Y = X * 2\n    Y[{place}] += 1e-3\n    return Y\n")
    assert (result.verdict, result.reason) == (Verdict.WRONG_ANSWER, Reason.VALUES_DIFFER)


def test_a_large_result_with_other_strides_is_accepted(judge, doubling):
    body = "    return (X.mT.contiguous() * 2).mT\n"
    assert verdict(judge, doubling, body).verdict is Verdict.ACCEPTED


def test_a_large_result_of_another_type_is_told(judge, doubling):
    assert verdict(judge, doubling, "    return (X * 2).double()\n").reason is Reason.WRONG_DTYPE


def test_what_dies_before_its_large_result_is_crashed_or_out_of_memory(judge, doubling):
    result = verdict(judge, doubling, "    return torch.ones(2**28) + X.sum()\n")
    assert result.verdict is Verdict.MEMORY_LIMIT_EXCEEDED
