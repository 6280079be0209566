"""What a child holds, seen from outside while it runs: inputs, and no answer, no root, no descriptor too many."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from judge.grade import Judge
from judge.options import JudgeOptions
from judge.report import Verdict
from judge.spawn import package_root
from problems.package import Limits
from tests.escapes import scan

STARTER_THEN_STAY = b'''import torch

CALLS = []


def scaled_dot_product_attention(Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor) -> torch.Tensor:
    """
    Returns the scaled dot-product attention output.
    """
    CALLS.append(1)
    while len(CALLS) == %d:
        pass
'''

WALK = """import os

import torch

ROOT = %r


def listed(folder):
    try:
        return os.listdir(folder)
    except (FileNotFoundError, PermissionError):
        return []


def scaled_dot_product_attention(Q, K, V):
    seen, found = 0, []
    for folder, folders, files in os.walk("/"):
        if folder == "/proc":
            folders.clear()
        seen += len(files)
        found += [os.path.join(folder, name) for name in files if name.endswith((".safetensors", "problem.yaml"))]
    for name in ("app", "problems", "static", "tests", "judge"):
        found += [each for each in listed(os.path.join(ROOT, name)) if each not in ("__init__.py", "jail")]
    for name in ("judge/compare.py", "problems/package.py", "problems/bank", "app/main.py"):
        found += [name] * os.path.exists(os.path.join(ROOT, name))
    if found or seen < 1000:
        raise PermissionError(f"{seen} files seen, {found}")
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
"""


@contextmanager
def staying_child(judge, problem) -> Iterator[tuple[int, list[int]]]:
    """pid of a child that has received every input and runs the starter, and pids of its zygote and siblings."""
    problem = replace(problem, limits=Limits(time_s=110.0, total_time_s=110.0))
    reached = threading.Event()
    finished = []

    def count(result) -> None:
        finished.append(result.case)
        if len(finished) == len(problem.cases) - 1:
            reached.set()

    source = STARTER_THEN_STAY % (len(problem.cases) + 1)  # the first sample is called twice
    grading = threading.Thread(target=lambda: judge.grade(problem, source, on_case=count))
    grading.start()
    try:
        assert reached.wait(60)
        (zygote,) = judge.pool._zygotes
        ours = [child for child in zygote.children.values() if child.armed and child not in judge.pool._ready]
        pids = {child.id: _pid_of(child.pidfd) for child in zygote.children.values() if child.pidfd is not None}
        mine = pids.pop(ours[-1].id)
        yield mine, [zygote.spawned.pid, *pids.values()]
    finally:
        for child in list(judge.pool._zygotes[0].children.values()):
            child.kill()
        grading.join()


def _pid_of(pidfd: int) -> int:
    for line in Path(f"/proc/self/fdinfo/{pidfd}").read_text().splitlines():
        if line.startswith("Pid:"):
            return int(line.split()[1])
    raise LookupError("no pid in the pidfd's description")


@pytest.fixture(scope="module", params=[frozenset(), frozenset({"bubblewrap"})], ids=["all layers", "bubblewrap off"])
def held(request, attention):
    """A child in the last call of the starter, its siblings and its zygote."""
    with (
        pytest.MonkeyPatch.context() as patch,
        Judge(JudgeOptions(zygotes=1, waive=request.param)) as judge,
    ):
        patch.setenv("TENSORGRADE_ESCAPE", "a secret of the server")
        with staying_child(judge, attention) as pids:
            yield pids


def test_no_process_of_the_jail_holds_three_elements_of_an_answer(held, attention):
    child, (zygote, *_) = held
    assert scan.found(child, scan.input_patterns(attention)) == scan.input_patterns(attention)
    answers = scan.answer_patterns(attention)
    assert len(answers) > 500
    for pid in (child, zygote):
        assert scan.found(pid, answers) == set()


def test_a_child_holds_descriptors_0_to_3_and_nothing_else(held):
    child, _ = held
    links = {int(name): os.readlink(f"/proc/{child}/fd/{name}") for name in os.listdir(f"/proc/{child}/fd")}  # noqa: PTH115, PTH208
    assert {number: link.split(":")[0] for number, link in links.items()} == {
        0: "/dev/null",
        1: "/dev/null",
        2: "/dev/null",
        3: "socket",
    }


def test_the_environment_is_the_judges_own_short_list(held):
    child, _ = held
    words = dict(word.split("=", 1) for word in Path(f"/proc/{child}/environ").read_text().split("\0") if word)
    assert set(words) <= {
        "LANG", "PATH", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "GLIBC_TUNABLES",
        "PYTHONMALLOC", "PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED", "PYTHONPATH", "PWD",
    }  # fmt: skip


def test_neither_child_nor_zygote_is_root_or_has_a_capability(held):
    child, others = held
    for pid in (child, *others):
        status = _status(pid)
        assert "0" not in status["Uid"].split()
        assert "0" not in status["Gid"].split()
        assert status["Groups"].split() in ([], ["65534"])
        for kind in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
            assert int(status[kind], 16) == 0, kind


def test_a_child_is_alone_under_its_filter(held):
    child, _ = held
    status = _status(child)
    assert (status["Threads"], status["NoNewPrivs"], status["Seccomp"]) == ("1", "1", "2")


def test_children_share_no_memory_that_one_could_write_and_another_read(held):
    child, (_, *siblings) = held
    for sibling in siblings:
        assert scan.shared_mappings(child).isdisjoint(scan.shared_mappings(sibling))


def test_the_jail_sees_no_file_of_a_bank_and_none_of_the_trusted_side(attention):
    """Seccomp and Landlock are off, so nothing but bubblewrap's view of the machine is in the way of the walk."""
    problem = replace(
        attention, revision="walk", cases=attention.cases[:1], limits=Limits(time_s=100.0, total_time_s=100.0)
    )
    with Judge(JudgeOptions(zygotes=1, waive=frozenset({"policy", "seccomp", "landlock"}))) as judge:
        report = judge.grade(problem, (WALK % str(package_root())).encode())
    assert report.verdict is Verdict.ACCEPTED, [case.message for case in report.cases]


def _status(pid: int) -> dict[str, str]:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}
