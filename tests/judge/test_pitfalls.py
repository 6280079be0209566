"""Traps that were met while the judge was made; each stays shut."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from judge.children import Budget, Child, Death
from judge.execute import end_of
from judge.grade import Judge
from judge.options import JudgeOptions
from judge.outcome import End
from judge.report import Reason, Verdict
from judge.request import Batch, call_for
from judge.talk import Stop, Talk
from problems.package import Limits

RETURN = "return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V"
HUGE_PAGES = Path("/sys/kernel/mm/transparent_hugepage")


def function(*lines: str, before: str = "") -> bytes:
    """A right submission with these lines before its return."""
    body = "\n".join(f"    {line}" for line in (*lines, RETURN))
    return f"import torch\n{before}\n\ndef scaled_dot_product_attention(Q, K, V):\n{body}\n".encode()


@pytest.fixture(scope="module")
def bare_judge():
    """A judge without the policy, so that a submission can look around."""
    with Judge(JudgeOptions(zygotes=1, waive=frozenset({"policy"}))) as judge:
        yield judge


@pytest.fixture(scope="module")
def one(attention):
    """The first sample alone."""
    return replace(attention, revision="one", cases=attention.cases[:1], limits=Limits(time_s=15.0))


def assert_accepted(judge, problem, *lines: str, before: str = "") -> None:
    report = judge.grade(problem, function(*lines, before=before))
    assert report.verdict is Verdict.ACCEPTED, [case.message for case in report.cases] + list(report.errors)


def status(pid: int, field: str) -> str:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(line.split(":", 1)[1].strip() for line in lines if line.startswith(f"{field}:"))


# A fork after a multi-threaded operation hangs every operation in the child.
def test_a_zygote_has_one_thread_so_that_its_forks_can_compute(judge):
    assert [status(pid, "Threads") for pid in judge.pool.pids()] == ["1"] * len(judge.pool.pids())


# Without the processor's files or a warm operation before the filter, torch silently takes kernels 2-3 times slower.
def test_a_child_computes_with_the_same_kernels_as_the_machine_outside(judge, bare_judge, one):
    capability = torch.backends.cpu.get_cpu_capability()
    assert judge.pool.found["cpu"] == capability
    line = f'assert torch.backends.cpu.get_cpu_capability() == "{capability}"'
    assert_accepted(bare_judge, one, line)


def test_the_jail_sees_whether_the_machine_has_huge_pages(judge):
    for pid in judge.pool.pids():
        assert Path(f"/proc/{pid}/root{HUGE_PAGES}").exists() == HUGE_PAGES.exists()


# oneDNN compiles its kernels at run time: memory must be allowed to become executable.
@pytest.mark.parametrize(
    "line",
    [
        "torch.nn.Conv2d(3, 8, 3)(torch.randn(2, 3, 16, 16))",
        "torch.nn.LSTM(8, 8)(torch.randn(5, 2, 8))",
        'torch.nn.functional.gelu(torch.randn(64, 64), approximate="tanh")',
        "torch.randn(64, 64).bfloat16() @ torch.randn(64, 64).bfloat16()",
        "torch.randn(64, 64).half() @ torch.randn(64, 64).half()",
    ],
)
def test_operations_that_compile_kernels_work_in_the_jail(judge, one, line):
    assert_accepted(judge, one, line)


# The verdict comes from the last word of the child, not from its end: tearing down its memory takes a while.
def test_a_child_that_never_ends_after_its_last_word_delays_no_verdict(bare_judge, one):
    before = "import sys\nimport time\n"
    line = 'sys._getframe(2).f_locals["channel"].receive = lambda: time.sleep(1000)'
    began = time.monotonic()
    assert_accepted(bare_judge, one, line, before=before)
    assert time.monotonic() - began < one.limits.time_s


# Tracebacks ask stat() for the source's file, which is refused: the lines must be in the cache for good.
def test_a_traceback_shows_the_line_though_no_file_can_be_asked_for(judge, bare_judge, one):
    for each in (judge, bare_judge):
        report = each.grade(one, function("torch.zeros(2) @ torch.zeros(3)"))
        assert "torch.zeros(2) @ torch.zeros(3)" in report.cases[0].traceback


# The parser asks unicodedata about every name that is not ASCII, and no file can be opened any more.
def test_names_may_have_greek_letters(judge, bare_judge, one):
    for each in (judge, bare_judge):
        assert_accepted(each, one, "λ = K.shape[-1] ** -0.5", "weights_π = λ * 2", r'"\N{GREEK SMALL LETTER PI}"')


# libgomp prints and exits when it gets no thread.
def test_wanting_threads_is_a_typed_verdict(bare_judge, one):
    quick = replace(one, limits=Limits(time_s=1.0))
    report = bare_judge.grade(
        quick, function("torch.set_num_threads(8)", "torch.randn(1500, 1500) @ torch.randn(1500, 1500)")
    )
    assert report.verdict in (Verdict.ACCEPTED, Verdict.RUN_TIME_ERROR, Verdict.TIME_LIMIT_EXCEEDED)


# torch's allocator raises a plain RuntimeError, Python's a MemoryError.
@pytest.mark.parametrize(
    "line", ["torch.zeros(1 << 40)", "x = [0] * (1 << 40)", "torch.zeros(1).expand(10**6, 10**6).contiguous()"]
)
def test_running_out_of_memory_is_one_verdict_whoever_notices(judge, one, line):
    assert judge.grade(one, function(line)).verdict is Verdict.MEMORY_LIMIT_EXCEEDED


def test_running_out_of_memory_on_a_secret_case_keeps_the_others(judge, attention):
    problem = replace(attention, revision="memory", limits=Limits(memory_mib=128))
    report = judge.grade(problem, function("if Q.dim() == 4:", "    torch.zeros(1 << 34)"))
    assert {case.case: case.verdict for case in report.cases if case.verdict is not Verdict.ACCEPTED} == {
        "secret/05-batched-heads": Verdict.MEMORY_LIMIT_EXCEEDED
    }


# zeros(1).expand(10**6, 10**6) is 4 bytes that would become 4 TB when they are copied; empty shapes can be huge too.
@pytest.mark.parametrize(
    "result", ["torch.zeros(1).expand(10**6, 10**6)", "torch.empty(0, 2**62)", "torch.zeros(3, 0).expand(3, 0)"]
)
def test_a_result_of_an_absurd_shape_is_a_wrong_shape(judge, one, result):
    report = judge.grade(one, function(f"return {result}"))
    assert (report.verdict, report.reason) == (Verdict.WRONG_ANSWER, Reason.WRONG_SHAPE)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("value", ["3.4e38", "-3.4e38", 'float("inf")', 'float("nan")', "1e-45"])
def test_measuring_how_far_extreme_values_are_off_warns_about_nothing(judge, one, value):
    report = judge.grade(one, function(f"return torch.full((*Q.shape[:-1], V.shape[-1]), {value})"))
    assert report.verdict is Verdict.WRONG_ANSWER


# The word of a child's death may come before its results are read: copy first, recycle later.
def test_results_finished_before_a_sudden_death_are_kept_every_time(bare_judge, attention):
    problem = replace(attention, revision="sudden", limits=Limits(time_s=10.0))
    source = function("import os", "CALLS.append(1)", "if len(CALLS) == 9:", "    os._exit(0)", before="CALLS = []")
    for _ in range(15):
        report = bare_judge.grade(problem, source)
        assert [case.verdict for case in report.cases].count(Verdict.RUN_TIME_ERROR) <= 3
        assert {case.verdict for case in report.cases} == {Verdict.ACCEPTED, Verdict.RUN_TIME_ERROR}


# A reused region would show the previous student's output.
def test_a_region_holds_nothing_of_an_earlier_submission(bare_judge, one):
    before = "import sys\n"
    memory = 'memory = sys._getframe(1).f_locals["region"]._memory'
    leave = 'memory[1 << 20 : (1 << 20) + 16] = b"somebody was here"[:16]'
    for _ in range(5):
        assert_accepted(bare_judge, one, memory, 'assert b"somebody" not in memory[: 1 << 22]', leave, before=before)


# What a SIGKILL was for is read from the clock and the memory of the dead.
def child_for(memory_mib: int = 100, cpu_s: int = 5) -> Child:
    child = Child(1, None, Budget(memory_mib, cpu_s), None, -1)
    child.armed_rss = 50 << 20
    return child


@pytest.mark.parametrize(
    ("stop", "ended_by", "cpu_s", "used_mib", "end"),
    [
        (Stop.GONE, signal.SIGKILL, 5.0, 0, End.TOTAL),
        (Stop.GONE, signal.SIGKILL, 1.0, 95, End.MEMORY),
        (Stop.GONE, signal.SIGKILL, 1.0, 10, End.CRASHED),
        (Stop.GONE, signal.SIGSEGV, 1.0, 95, End.CRASHED),
        (Stop.GONE, 256, 1.0, 10, End.EXITED),
        (Stop.LATE, signal.SIGKILL, 1.0, 10, End.WALL),
        (Stop.LATE, signal.SIGKILL, 1.0, 95, End.MEMORY),
        (Stop.SPENT, signal.SIGKILL, 1.0, 10, End.TOTAL),
        (Stop.LYING, signal.SIGKILL, 1.0, 95, End.CRASHED),
    ],
)
def test_how_a_child_ended_follows_from_what_was_seen_and_what_it_used(stop, ended_by, cpu_s, used_mib, end):
    child = child_for()
    death = Death(int(ended_by), cpu_s, child.armed_rss + (used_mib << 20))
    assert end_of(stop, death, child) is end


def test_a_child_that_uses_up_its_processor_time_is_killed_by_the_kernel_alone(attention):
    """The supervisor's clock never gets that far; here nobody watches it."""
    with Judge(JudgeOptions(zygotes=1, waive=frozenset({"policy"}))) as judge:
        child = judge.pool.take(Budget(256, 1), 20.0)
        batch = Batch([call_for(attention.cases[0])], stdout_bytes=0)
        talk = Talk(child, batch, Limits(time_s=60.0, total_time_s=60.0), 0.0)
        source = function("import signal", "signal.signal(signal.SIGXCPU, signal.SIG_IGN)", "while True:", "    pass")
        stop = talk.hold(("scaled_dot_product_attention", (), (), False), source, None)
        death = judge.pool.death_of(child, 10.0)
        judge.pool.release(child)
    assert stop is Stop.GONE
    assert os.WTERMSIG(death.status) == signal.SIGKILL
    assert end_of(stop, death, child) is End.TOTAL


def test_inputs_of_another_case_cannot_be_changed_through_a_large_input(bare_judge, attention):
    """Inputs over 256 KiB come as a memfd that is sealed and mapped privately: writing to it stays with the writer."""
    case = attention.cases[0]
    big = {name: np.repeat(array, 12_000 if name == "Q" else 1, axis=0) for name, array in case.inputs.items()}
    answer = np.repeat(case.answer, 12_000, axis=0)
    large = replace(case, name="secret/99-large", inputs=big, answer=answer)
    problem = replace(attention, revision="large", cases=(case, large), limits=Limits(time_s=20.0))
    spoil = function("result = torch.softmax(Q @ K.mT / K.shape[-1] ** 0.5, -1) @ V", "Q.zero_()", "return result")
    for _ in range(3):
        assert bare_judge.grade(problem, spoil).verdict is Verdict.ACCEPTED


# One open file handed to every child has one offset: what one submission leaves there another would find.
def test_large_inputs_are_no_mailbox_between_submissions(bare_judge, attention):
    case = attention.cases[0]
    big = {name: np.repeat(array, 12_000 if name == "Q" else 1, axis=0) for name, array in case.inputs.items()}
    large = replace(case, inputs=big, answer=np.repeat(case.answer, 12_000, axis=0))
    problem = replace(attention, revision="mailbox", cases=(large,), limits=Limits(time_s=20.0))
    before = """import os
from judge.jail import child
found = []
map_inputs = child.map_inputs
def keep(descriptor, size):
    found.append(os.lseek(descriptor, 0, os.SEEK_CUR))
    os.lseek(descriptor, 4711, os.SEEK_SET)
    return map_inputs(descriptor, size)
child.map_inputs = keep
"""
    two = replace(problem, revision="mailbox of two", cases=(large, replace(large, name="sample/99-again")))
    for _ in range(2):
        report = bare_judge.grade(two, function("print(found)", before=before))
        assert [result.stdout for result in report.cases] == ["[]\n", "[0]\n"]
