"""What a submission gets, end to end through the real jail."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from dataclasses import replace

import numpy as np
import pytest

from judge.errors import QueueFull
from judge.grade import Judge
from judge.options import JudgeOptions
from judge.report import Reason, Verdict
from problems.errors import InputError, PackageError
from problems.package import Limits, Program

RIGHT = b"""import torch

def scaled_dot_product_attention(Q, K, V):
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
"""


FORMULA = "torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V"
RETURN = f"return {FORMULA}"


def function(body: str, before: str = "import torch\n") -> bytes:
    """A submission with this body and otherwise right parts at hand."""
    lines = "\n".join("    " + line for line in body.splitlines())
    return f"{before}\ndef scaled_dot_product_attention(Q, K, V):\n{lines}\n".encode()


@pytest.fixture(scope="session")
def quick(attention):
    """The first problem with short limits, so that hangs cost little."""
    limits = replace(attention.limits, time_s=0.5, total_time_s=5.0)
    return replace(attention, limits=limits, revision=attention.revision + "-quick")


@pytest.fixture(scope="session")
def bare_judge():
    """A judge without the policy: nothing but the wall."""
    with Judge(JudgeOptions(zygotes=1, waive=frozenset({"policy"}))) as running:
        yield running


def assert_still_right(judge, problem):
    assert judge.grade(problem, RIGHT).verdict is Verdict.ACCEPTED


def test_every_accepted_program_of_the_package_is_accepted(judge, attention):
    for program in attention.accepted:
        report = judge.grade(attention, program.source)
        assert (program.name, report.verdict, report.notes) == (program.name, Verdict.ACCEPTED, ())
        assert report.passed == report.total == len(attention.cases)


def test_every_mistake_of_the_package_gets_its_verdict_and_reason(judge, attention):
    for mistake in attention.mistakes:
        report = judge.grade(attention, mistake.source)
        assert (mistake.name, report.verdict) == (mistake.name, mistake.verdict)
        if mistake.reason is not None:
            assert (mistake.name, report.reason) == (mistake.name, mistake.reason)


def test_the_starter_returned_none(judge, attention):
    report = judge.grade(attention, attention.starter.encode())
    assert (report.verdict, report.reason) == (Verdict.WRONG_ANSWER, Reason.RETURNED_NONE)
    assert report.cases[0].message.startswith("scaled_dot_product_attention returned None")


TYPED = {
    "a syntax error": (b"def f(:\n", Verdict.COMPILE_ERROR, Reason.SYNTAX_ERROR),
    "an empty source": (b"", Verdict.COMPILE_ERROR, Reason.MISSING_FUNCTION),
    "a missing function": (b"import torch\nx = 1\n", Verdict.COMPILE_ERROR, Reason.MISSING_FUNCTION),
    "a source of 1 MB": (b"#" * (1 << 20), Verdict.COMPILE_ERROR, Reason.TOO_LARGE),
    "a name that is not callable": (
        b"scaled_dot_product_attention = 3\n",
        Verdict.COMPILE_ERROR,
        Reason.MISSING_FUNCTION,
    ),
    "an endless loop": (function("while True: pass"), Verdict.TIME_LIMIT_EXCEEDED, Reason.WALL),
    "an endless loop while loading": (b"while True: pass\n", Verdict.TIME_LIMIT_EXCEEDED, Reason.WHILE_LOADING),
    "10 GB of tensors": (function("return torch.zeros(10 * 2**28)"), Verdict.MEMORY_LIMIT_EXCEEDED, None),
    "10 GB of lists": (function("return [0] * (10 * 2**27)"), Verdict.MEMORY_LIMIT_EXCEEDED, None),
    "10 MB of print": (function("print('x' * 10 * 2**20)\nreturn Q"), Verdict.OUTPUT_LIMIT_EXCEEDED, None),
    "an exception": (function("return Q @ K"), Verdict.RUN_TIME_ERROR, Reason.EXCEPTION),
    "an exception while loading": (b"1 / 0\n", Verdict.RUN_TIME_ERROR, Reason.EXCEPTION),
    "a native crash": (
        function("return torch.nn.functional.max_pool1d(torch.ones(1, 1, 4), 2**63 - 1)"),
        None,  # a crash or an exception, as torch likes
        None,
    ),
}


@pytest.mark.parametrize("what", TYPED)
def test_a_typed_verdict_in_bounded_time_and_the_next_submission_is_right(judge, quick, what):
    source, verdict, reason = TYPED[what]
    start = time.perf_counter()
    report = judge.grade(quick, source)
    assert time.perf_counter() - start < 3 * quick.limits.time_s + 3
    assert report.verdict is not Verdict.ACCEPTED
    if verdict is not None:
        assert (report.verdict, report.reason) == (verdict, reason)
    assert (report.errors != ()) == (report.verdict is Verdict.COMPILE_ERROR)
    assert_still_right(judge, quick)


NATIVE = {
    "os._exit(0)": (function("import os\nos._exit(0)"), Verdict.RUN_TIME_ERROR, Reason.EXITED),
    "os._exit(0) while loading": (b"import os\nos._exit(0)\n", Verdict.RUN_TIME_ERROR, Reason.EXITED),
    "SystemExit(0)": (function("raise SystemExit(0)"), Verdict.RUN_TIME_ERROR, Reason.EXITED),
    "a segmentation fault": (
        function("import ctypes\nctypes.string_at(8, 1)"),
        Verdict.RUN_TIME_ERROR,
        Reason.CRASHED,
    ),
    "abort": (function("import os\nos.abort()"), Verdict.RUN_TIME_ERROR, Reason.CRASHED),
}


@pytest.mark.parametrize("what", NATIVE)
def test_without_the_policy_too_a_dying_process_gets_a_typed_verdict(bare_judge, quick, what):
    source, verdict, reason = NATIVE[what]
    report = bare_judge.grade(quick, source)
    assert (report.verdict, report.reason) == (verdict, reason)
    assert_still_right(bare_judge, quick)


def test_an_endless_loop_costs_three_time_limits_and_the_rest_is_skipped(judge, quick):
    start = time.perf_counter()
    report = judge.grade(quick, function("while True: pass"))
    assert time.perf_counter() - start < 3 * quick.limits.time_s + 2
    verdicts = [case.verdict for case in report.cases]
    assert verdicts[:3] == [Verdict.TIME_LIMIT_EXCEEDED] * 3
    assert set(verdicts[3:]) == {Verdict.SKIPPED}
    assert report.cases[3].message == "Not run: three cases hit the time limit."


def test_the_time_for_all_cases_is_a_limit_of_its_own(bare_judge, attention):
    limits = replace(attention.limits, time_s=1.0, total_time_s=1.5)
    problem = replace(attention, limits=limits, revision="total")
    report = bare_judge.grade(problem, function("import time\ntime.sleep(0.6)\nreturn Q"))
    late = [case for case in report.cases if case.reason is Reason.TOTAL]
    assert len(late) == 1
    assert late[0].verdict is Verdict.TIME_LIMIT_EXCEEDED
    assert {case.verdict for case in report.cases[report.cases.index(late[0]) + 1 :]} == {Verdict.SKIPPED}


def test_one_hanging_case_does_not_take_the_others_along(judge, quick):
    body = f"if K.shape[-2] == 1024:\n    while True: pass\n{RETURN}"
    report = judge.grade(quick, function(body))
    bad = [case.case for case in report.cases if case.verdict is not Verdict.ACCEPTED]
    assert len(bad) == 1
    assert report.verdict is Verdict.TIME_LIMIT_EXCEEDED


def test_one_crashing_case_does_not_take_the_others_along(bare_judge, quick):
    body = "if K.shape[-2] == 1024:\n    import ctypes\n    ctypes.string_at(8)\n" + RETURN
    report = bare_judge.grade(quick, function(body))
    bad = [(case.verdict, case.reason) for case in report.cases if case.verdict is not Verdict.ACCEPTED]
    assert bad == [(Verdict.RUN_TIME_ERROR, Reason.CRASHED)]


def test_memory_that_is_caught_and_asked_for_again_is_not_called_slow(judge, attention):
    limits = Limits(time_s=3.0, total_time_s=4.0, memory_mib=256)
    problem = replace(attention, limits=limits, revision="hog", cases=attention.cases[:1])
    attempt = "    try:\n        kept.append(torch.ones(2**20))\n    except (MemoryError, RuntimeError):\n        pass"
    body = f"kept = []\nwhile True:\n{attempt}"
    assert judge.grade(problem, function(body)).verdict is Verdict.MEMORY_LIMIT_EXCEEDED


def test_shown_cases_run_before_secret_ones_and_are_reported_in_case_order(judge, attention):
    shown_late = replace(attention.cases[-1], full_feedback=True)
    problem = replace(attention, cases=(*attention.cases[:-1], shown_late), revision="feedback")
    source = function(
        "global n\nn += 1\nprint(n)\nreturn torch.softmax(Q @ K.mT / K.shape[-1] ** 0.5, -1) @ V",
        "import torch\nn = 0\n",
    )
    report = judge.grade(problem, source)
    assert [case.case for case in report.cases] == [case.name for case in problem.cases]
    assert [case.stdout for case in report.cases if case.shown] == ["1\n", "3\n", "4\n"]  # 2 was the second call


def test_nothing_printed_for_a_secret_case_is_kept(judge, attention):
    report = judge.grade(attention, function(f"print(Q)\n{RETURN}"))
    assert all(case.stdout == "" for case in report.cases if case.group == "secret")
    assert all(case.stdout for case in report.cases if case.group == "sample")


def test_a_long_print_is_cut_and_says_so(judge, attention):
    report = judge.grade(attention, function("print('x' * 100_000)\nreturn Q"))
    assert report.cases[0].stdout_cut
    assert len(report.cases[0].stdout) == attention.limits.stdout_kib * 1024


def test_a_case_is_told_as_it_finishes_and_only_once(judge, attention):
    told = []
    report = judge.grade(attention, RIGHT, on_case=told.append)
    assert sorted(told, key=lambda case: case.case) == sorted(report.cases, key=lambda case: case.case)


def test_results_that_depend_on_chance_are_noted(judge, attention):
    body = f"out = {FORMULA}\nreturn out if calls() else out + torch.rand(1) + 1"
    before = "import torch\nseen = []\ndef calls():\n    seen.append(1)\n    return len(seen) != 2\n"
    report = judge.grade(attention, function(body, before))
    assert (report.verdict, report.notes) == (Verdict.ACCEPTED, ("nondeterministic",))


@pytest.mark.parametrize("statement", ["Q.zero_()", "Q.data.mul_(2)", "V += 1", "K[..., 0] = 3"])
def test_a_right_answer_with_changed_inputs_is_accepted_with_a_note(judge, attention, statement):
    body = f"out = torch.softmax(Q @ K.mT / K.shape[-1] ** 0.5, -1) @ V\n{statement}\nreturn out"
    report = judge.grade(attention, function(body))
    if report.verdict is not Verdict.COMPILE_ERROR:  # the policy keeps `.data` to itself
        assert (report.verdict, report.notes) == (Verdict.ACCEPTED, ("mutated_input",))


def test_grad_and_inference_mode_left_on_do_not_reach_the_next_case(judge, attention):
    body = (
        "guard = torch.inference_mode()\nguard.__enter__()\nreturn torch.softmax(Q @ K.mT / K.shape[-1] ** 0.5, -1) @ V"
    )
    report = judge.grade(attention, function(body))
    assert report.verdict in (Verdict.ACCEPTED, Verdict.COMPILE_ERROR)


def test_own_inputs_are_computed_but_not_judged(judge, attention):
    rng = np.random.default_rng(5)
    inputs = {
        name: rng.standard_normal(shape).astype(np.float32)
        for name, shape in (("Q", (2, 3)), ("K", (4, 3)), ("V", (4, 2)))
    }
    report = judge.run(attention, RIGHT, [inputs])
    own = report.cases[-1]
    assert (report.verdict, report.mode) == (None, "run")
    assert (own.case, own.group, own.verdict) == ("own/1", "own", None)
    assert own.max_abs_error < 1e-5
    np.testing.assert_allclose(own.output, own.expected, atol=1e-5)


def test_a_failing_own_input_has_a_verdict(judge, attention):
    inputs = {name: np.ones((2, 2), dtype=np.float32) for name in "QKV"}
    report = judge.run(attention, function("raise ValueError('no')"), [inputs])
    assert report.cases[-1].verdict is Verdict.RUN_TIME_ERROR
    assert report.verdict is Verdict.RUN_TIME_ERROR


def test_own_inputs_that_do_not_fit_are_refused_with_a_sentence(judge, attention):
    inputs = {"Q": np.ones((2, 2), np.float32), "K": np.ones((2, 3), np.float32), "V": np.ones((2, 2), np.float32)}
    with pytest.raises(InputError, match="d_k"):
        judge.run(attention, RIGHT, [inputs])


def test_the_answer_comes_from_the_reference_in_float64(judge, attention):
    for case in attention.cases:
        answer = judge.answer(attention, case.inputs, layout=case.layout)
        scale = np.abs(case.answer).max()
        assert np.abs(answer - case.answer).max() <= 1e-12 * scale


def test_a_reference_that_loses_precision_is_the_authors_mistake(judge, attention):
    rounded = Program("accepted/rounded", function("return (Q @ K.mT @ V).float()"))
    with pytest.raises(PackageError, match="float32"):
        judge.answer(replace(attention, reference=rounded, revision="rounded"), attention.cases[0].inputs)


def test_a_reference_that_does_not_load_says_why(judge, attention):
    broken = Program("accepted/broken", b"import os\nos.getcwd()\n")
    with pytest.raises(PackageError, match="import os"):
        judge.answer(replace(attention, reference=broken, revision="broken"), attention.cases[0].inputs)


def test_inputs_larger_than_a_message_travel_as_a_sealed_memfd(judge, attention):
    rng = np.random.default_rng(1)
    shape = (4, 300, 100)  # 480 KB each
    inputs = {name: rng.standard_normal(shape).astype(np.float32) for name in "QKV"}
    answer = judge.answer(attention, inputs)
    case = replace(
        attention.cases[-1], name="secret/90-large", inputs=inputs, answer=answer, layout={}, digest="large",
        tolerance=attention.tolerance.for_answer(answer),
    )  # fmt: skip
    report = judge.grade(attention, RIGHT, cases=[*attention.cases, case, replace(case, name="secret/91-again")])
    assert report.verdict is Verdict.ACCEPTED


def test_a_killed_zygote_costs_the_student_nothing(attention):
    slow = function(f"for _ in range(10**6):\n    Q + 1\n{RETURN}")
    with Judge(JudgeOptions(zygotes=1)) as judge:
        reports = []
        grading = threading.Thread(
            target=lambda: reports.append(judge.grade(attention, slow, cases=attention.cases[:1]))
        )
        grading.start()
        while judge.pool.idle() == judge.options.armed:
            time.sleep(0.001)
        os.kill(judge.pool.pids()[0], signal.SIGKILL)
        grading.join()
        assert reports[0].verdict is not Verdict.JUDGE_ERROR
        assert judge.grade(attention, RIGHT).verdict is Verdict.ACCEPTED


def test_many_at_once_are_all_right(judge, attention):
    reports = []
    threads = [threading.Thread(target=lambda: reports.append(judge.grade(attention, RIGHT))) for _ in range(24)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [report.verdict for report in reports] == [Verdict.ACCEPTED] * 24


def grade_or_give_up(judge, problem, source):
    with contextlib.suppress(QueueFull):
        judge.grade(problem, source)


def test_a_full_judge_says_so_instead_of_hanging(attention):
    with Judge(JudgeOptions(zygotes=1, armed=1)) as judge:
        judge.options = replace(judge.options, wait_s=0.05)  # after the self-test, which has time
        while not judge.pool.idle():  # the self-test's child is being replaced
            time.sleep(0.001)
        busy = threading.Thread(target=grade_or_give_up, args=(judge, attention, function("while True: pass")))
        busy.start()
        while judge.pool.idle():
            time.sleep(0.001)
        with pytest.raises(QueueFull):
            judge.grade(attention, RIGHT)
        busy.join()


def test_a_problem_whose_policy_names_nothing_is_the_judges_failure_not_the_students(judge, attention):
    policy = replace(attention.policy, forbid=(replace(attention.policy.forbid[0], name="@nothing"),))
    report = judge.grade(replace(attention, policy=policy, revision="bad-policy"), RIGHT)
    assert report.verdict is Verdict.JUDGE_ERROR
    assert {case.verdict for case in report.cases} == {Verdict.JUDGE_ERROR}
