"""Of secret inputs a report says verdict, reason, line and fixed words: tried by programs that want to say a value."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from app.views import Revealed, Stamp, for_student
from judge.grade import Judge
from judge.options import JudgeOptions
from judge.report import Verdict
from problems.package import Limits
from tests.escapes.conftest import SAMPLE, SECRET

RETURN = "return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V"

WITH_POLICY = {
    "the name of an attribute": 'getattr(Q, "_" + value)',
    "the name of an attribute that is set": 'setattr(Q, "__" + value, 1)',
    "the name of an attribute that does not exist": 'getattr(torch, "x" + value)',
    "the text of an exception": "raise ValueError(value)",
    "the key of a failed look-up": "{}[value]",
    "the arguments of an exception": "raise RuntimeError(value, {value: [value]})",
    "the cause of an exception": "raise ValueError from KeyError(value)",
    "printed text": "print(value)",
    "printed text before an exception": "print(value); raise ValueError",
    "a shape": "return torch.zeros(int(abs(float(value)) * 10**6))",
    "the shapes in an error of torch": "torch.zeros(int(abs(float(value)) * 10**6)) @ torch.zeros(3)",
    "a dtype": "return torch.tensor([float(value)], dtype=torch.float64)",
    "a result of another type": "return value",
    "a format": 'f"{Q:{value}}"',
    "a warning": "import warnings; warnings.warn(value)",
}
WITHOUT_POLICY = {
    "the name of a type": "raise type(value, (Exception,), {})",
    "the name of a returned type": "return type(value, (), {})()",
    "the name of a module": "__import__('m' + value)",
    "the name of a file": "open('/' + value)",
    "code that does not compile": "exec(value + ' ' + value)",
    "the name of a function": "exec(f'def f_{value[2:]}():\\n    raise ValueError'); locals()[f'f_{value[2:]}']()",
    "printed text past the judge's collector": "import os; os.write(1, value.encode()); os.write(2, value.encode())",
    "a forged remark": "forge(1, pack(value))",
    "a forged refusal of the source": "forge(2, pack('1', '1', 'forbidden_name', value))",
    "a forged exception of the source": "forge(4, pack(value, '1', value, value))",
    "a forged refusal of a call": "record(7, pack('1', '1', 'forbidden_name', value))",
    "a forged code of a refusal": "record(7, pack('1', '1', value, value))",
    "a forged exception of a call": "record(6, pack(value, '1', value, value))",
    "a forged line": "record(6, pack('ValueError', '1', '', ''), line=int(abs(float(value)) * 10**6))",
    "a forged type of a result": "record(3, pack(value))",
    "forged printed text": "record(1, stdout=pack(value))",
}
FORGE = """
import struct
import sys


def pack(*texts):
    return b"".join(struct.pack("<I", len(text)) + text.encode() for text in texts)


def memory():
    frame = sys._getframe()
    while "region" not in frame.f_locals:
        frame = frame.f_back
    region = frame.f_locals["region"]
    region.put_record = region.add_to_record = lambda *a, **k: None
    region._memory[1 << 20 : (1 << 20) + 4096] = bytes(4096)
    return region._memory


def forge(status, text):
    struct.pack_into("<IIId", memory(), 0, status, 1 << 20, len(text), 0.0)
    memory()[1 << 20 : (1 << 20) + len(text)] = text


def record(status, text=b"", line=0, stdout=b""):
    held = memory()
    body = text or stdout
    held[1 << 20 : (1 << 20) + len(body)] = body
    places = (1 << 20, len(text), 1 << 20, len(stdout))
    struct.pack_into("<4IQd5I8Q", held, 64, status, 1, 2, 0, 0, 0.0, line, *places, 3, 2, *[0] * 6)
"""


DIE_IN_THE_SECOND_CALL = """
    import os
    CALLS.append(1)
    if len(CALLS) == 2:
        os._exit(0)
"""
"""The sample is called twice. After this a fresh child loads the source, with the secret inputs already at hand."""


def source(statement: str, head: str = "", before: str = "") -> bytes:
    """A program that is right on the sample, and on the secret case tries to say the first element of Q."""
    lines = f"""import torch
{head}
CALLS = []


def scaled_dot_product_attention(Q, K, V):
    {before.strip()}
    if Q.dim() == 3:
        value = "%.7f" % Q.flatten()[0].item()
        {statement}
    {RETURN}
"""
    return lines.encode()


@pytest.fixture(scope="module")
def two(attention):
    """One sample and one secret case."""
    cases = (attention.case(SAMPLE), attention.case(SECRET))
    return replace(attention, revision="two", cases=cases, limits=Limits(time_s=10.0))


@pytest.fixture(scope="module")
def bare_judge():
    """A judge without the policy."""
    with Judge(JudgeOptions(zygotes=1, waive=frozenset({"policy"}))) as judge:
        yield judge


def assert_says_nothing(problem, report):
    value = f"{problem.case(SECRET).inputs['Q'].reshape(-1)[0]:.7f}"
    stamp = Stamp("", datetime(2025, 1, 1, tzinfo=UTC), None)
    shown = json.dumps(for_student(report, Revealed.of(problem), stamp), allow_nan=False, default=str)
    assert value.removeprefix("-").removeprefix("0.")[:5] not in shown
    assert report.verdict is not Verdict.JUDGE_ERROR


@pytest.mark.parametrize("way", WITH_POLICY)
def test_a_secret_input_is_not_said_by(judge, two, way):
    assert_says_nothing(two, judge.grade(two, source(WITH_POLICY[way])))


@pytest.mark.parametrize("way", {**WITH_POLICY, **WITHOUT_POLICY})
def test_a_secret_input_is_not_said_without_the_policy_by(bare_judge, two, way):
    statement = {**WITH_POLICY, **WITHOUT_POLICY}[way]
    assert_says_nothing(two, bare_judge.grade(two, source(statement, FORGE)))


@pytest.mark.parametrize("way", {**WITH_POLICY, **WITHOUT_POLICY})
def test_a_secret_input_is_not_said_by_a_fresh_child_by(bare_judge, two, way):
    statement = {**WITH_POLICY, **WITHOUT_POLICY}[way]
    assert_says_nothing(two, bare_judge.grade(two, source(statement, FORGE, DIE_IN_THE_SECOND_CALL)))


def test_a_fresh_child_that_fails_to_load_with_secret_inputs_at_hand_says_nothing(bare_judge, two):
    head = f"""{FORGE}
request = sys._getframe(1).f_locals["request"]
value = "%.7f" % torch.frombuffer(request.inputs, dtype=torch.float32, offset=request.inputs_at, count=1)[0].item()
if len(request.cases) == 1:
    raise type(value, (Exception,), {{}})(value)
"""
    report = bare_judge.grade(two, source("pass", head, DIE_IN_THE_SECOND_CALL))
    assert [case.verdict for case in report.cases] == [Verdict.ACCEPTED, Verdict.RUN_TIME_ERROR]
    assert_says_nothing(two, report)


def test_what_a_secret_case_printed_is_not_shown_with_a_later_run_of_the_same_source(bare_judge, two):
    """A process serves one submission: nothing that it kept is there for the next."""
    keeping = source("import builtins; builtins.kept = value", "import builtins\nprint(getattr(builtins, 'kept', ''))")
    for _ in range(4):
        assert_says_nothing(two, bare_judge.grade(two, keeping))
