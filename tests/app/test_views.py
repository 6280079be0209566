"""Of a secret case nothing leaves but what is listed here, whatever the judge writes into its result."""

import json
from datetime import UTC, datetime, timedelta, timezone

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.own import Own
from app.views import Revealed, Stamp, case_for_student, for_student
from judge.report import CaseResult, CompileProblem, Diagnosis, Reason, Report, Verdict, WorstElement
from problems.package import Case, Tolerance

SENTINEL = "leaked"
NUMBER = 13579.25
STAMP = Stamp("a" * 22, datetime(2026, 5, 1, tzinfo=UTC), datetime(2026, 5, 1, 0, 0, 1, tzinfo=UTC))


def case(name, **more):
    inputs = {"Q": np.full((2, 3), NUMBER, np.float32)}
    answer = np.full((2, 3), NUMBER)
    return Case(name, "a title", inputs, answer, Tolerance(1e-5, 0.5), "digest", **more)


SAMPLE = case("sample/01-one", hint="look at the axis")
OPEN_SECRET = case("secret/09-open", full_feedback=True)
REVEALED = Revealed(
    cases={SAMPLE.name: SAMPLE, OPEN_SECRET.name: OPEN_SECRET},
    own={"own/1": Own({"Q": np.full((1, 3), NUMBER, np.float32)})},
    result_dtype="float32",
)


def result(name="secret/03-hidden", group="secret", *, shown=False, **more):
    return CaseResult(case=name, group=group, title="a title", shown=shown, verdict=Verdict.WRONG_ANSWER, **more)


arrays = st.sampled_from([np.full(shape, NUMBER, np.float32) for shape in [(), (1,), (2, 3), (13579,)]])
loud_results = st.builds(
    CaseResult,
    case=st.just("secret/03-hidden"),
    group=st.sampled_from(["secret", "sample", "own"]),
    title=st.just("a title"),
    shown=st.booleans(),
    verdict=st.none() | st.sampled_from(Verdict),
    reason=st.none() | st.sampled_from(Reason),
    message=st.text().map(lambda text: text + SENTINEL),
    brief=st.just("The output has other values."),
    line=st.none() | st.integers(1, 9),
    error_type=st.none() | st.just("ValueError"),
    traceback=st.text().map(lambda text: SENTINEL + text),
    time_ms=st.floats(0, 9),
    output=st.none() | arrays,
    output_dtype=st.none() | st.just(SENTINEL),
    output_from_sequence=st.booleans(),
    expected=st.none() | arrays,
    max_abs_error=st.none() | st.just(NUMBER),
    worst=st.lists(st.builds(WorstElement, st.just((13579,)), st.just(NUMBER), st.just(NUMBER))).map(tuple),
    stdout=st.text().map(lambda text: SENTINEL + text),
    stdout_cut=st.booleans(),
)


@given(loud_results)
def test_nothing_of_a_secret_case_leaves_whatever_its_result_holds(loud):
    """Not even when the result claims to be shown, or to be a sample: the package decides."""
    body = case_for_student(loud, REVEALED)
    text = json.dumps(body, allow_nan=False)
    assert SENTINEL not in text
    assert "13579" not in text
    assert set(body) == {
        "case", "group", "title", "verdict", "reason", "message", "line", "error_type", "time_ms",
    }  # fmt: skip


@given(st.lists(loud_results, max_size=4))
def test_nothing_of_secret_cases_leaves_in_a_whole_report(loud):
    report = Report("slug", "0" * 64, "submit", Verdict.WRONG_ANSWER, None, tuple(loud))
    text = json.dumps(for_student(report, REVEALED, STAMP), allow_nan=False)
    assert SENTINEL not in text
    assert "13579" not in text


@pytest.mark.parametrize(("name", "group"), [("sample/01-one", "sample"), ("secret/09-open", "secret")])
def test_a_shown_case_carries_inputs_expected_got_and_what_was_printed(name, group):
    body = case_for_student(
        result(
            name,
            group,
            shown=True,
            message="Element [0, 1] is 2.0, expected 1.0.",
            brief="Other values.",
            output=np.full((2, 3), 2.0, np.float32),
            expected=np.full((2, 3), 1.0),
            max_abs_error=1.0,
            worst=(WorstElement((0, 1), 1.0, float("nan")),),
            stdout="hello\ud800",
        ),
        REVEALED,
    )
    assert body["message"] == "Element [0, 1] is 2.0, expected 1.0."
    assert body["inputs"]["Q"]["values"] == [[NUMBER] * 3] * 2
    assert body["expected"] == {"shape": [2, 3], "dtype": "float32", "values": [[1.0] * 3] * 2}
    assert body["got"]["values"] == [[2.0] * 3] * 2
    assert body["worst"] == [{"index": [0, 1], "expected": 1.0, "got": "NaN"}]
    assert body["stdout"] == "hello?"
    assert body["tolerance"] == {"rtol": 1e-5, "atol": 0.5}


def test_a_hint_is_given_to_who_fails_the_case_and_to_nobody_else():
    failed = result("sample/01-one", "sample", shown=True)
    passed = CaseResult("sample/01-one", "sample", "a title", shown=True, verdict=Verdict.ACCEPTED)
    assert case_for_student(failed, REVEALED)["hint"] == "look at the axis"
    assert case_for_student(passed, REVEALED)["hint"] is None


def test_a_result_that_is_not_shown_stays_closed_even_for_an_open_case():
    assert "inputs" not in case_for_student(result("sample/01-one", "sample", shown=False), REVEALED)


def test_own_inputs_come_back_with_what_the_reference_says():
    own = CaseResult("own/1", "own", "Your input 1", shown=True, verdict=None, expected=np.ones((1, 3)))
    body = case_for_student(own, REVEALED)
    assert body["verdict"] is None
    assert body["inputs"]["Q"]["shape"] == [1, 3]
    assert body["expected"]["values"] == [[1.0, 1.0, 1.0]]
    assert body["tolerance"] is None


def test_a_report_has_the_documented_members_and_utc_times():
    report = Report(
        problem="slug",
        revision="0" * 64,
        mode="submit",
        verdict=Verdict.COMPILE_ERROR,
        reason=Reason.SYNTAX_ERROR,
        cases=(),
        errors=(CompileProblem(3, 7, "syntax_error", "'(' was never closed."),),
        notes=("mutated_input",),
        remarks=("Line 1: left out.",),
        diagnosis=Diagnosis("no-scaling", "No scaling", "Divide the scores.", "scaling"),
        layers=("seccomp",),
    )
    zone = timezone(timedelta(hours=2))
    stamp = Stamp("b" * 22, datetime(2026, 5, 1, 12, 0, tzinfo=zone), datetime(2026, 5, 1, 12, 0, 1, 5000, zone))
    assert for_student(report, REVEALED, stamp) == {
        "id": "b" * 22,
        "problem": "slug",
        "revision": "0" * 64,
        "mode": "submit",
        "state": "done",
        "verdict": "compile_error",
        "reason": "syntax_error",
        "passed": 0,
        "total": 0,
        "cases": [],
        "errors": [{"line": 3, "column": 7, "code": "syntax_error", "message": "'(' was never closed."}],
        "diagnosis": {
            "mistake": "no-scaling",
            "title": "No scaling",
            "message": "Divide the scores.",
            "pitfall": "scaling",
        },
        "notes": ["mutated_input"],
        "remarks": ["Line 1: left out."],
        "layers": ["seccomp"],
        "submitted_at": "2026-05-01T10:00:00.000Z",
        "judged_at": "2026-05-01T10:00:01.005Z",
    }
