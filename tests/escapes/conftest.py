"""A judge for each configuration, and small problems to attack."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

import pytest

from judge.grade import Judge
from judge.options import JudgeOptions
from judge.report import Report, Verdict
from problems.package import Limits, Problem
from tests.escapes import traces
from tests.escapes.attack import Attack

CONFIGURATIONS = {
    "all layers": frozenset[str](),
    "policy off": frozenset({"policy"}),
    "bubblewrap off": frozenset({"policy", "bubblewrap"}),
    "Landlock off": frozenset({"policy", "landlock"}),
}
"""Name: layers waived. The last two are the wall alone, with one half of its view of the machine missing."""
SAMPLE, SECRET = "sample/02-small-random", "secret/04-batched"
TIME_S = 0.3
FILL_S = 2.0
"""For attacks that fill the memory and then never end."""
PATIENT_S = 10.0
"""For attacks that have nothing to do with time, so that a busy machine does not stop them for us."""
SMALL_MIB = 96
"""For attacks on memory: filled within the time limit even on a busy machine."""
NEEDS_TWO_CASES = frozenset({"never_reads", "forged_progress_buys_time"})
"""Attacks that may be late only in a second case; the others that may be late get one, to save time."""

RIGHT = b"""import torch


def scaled_dot_product_attention(Q, K, V):
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
"""


@pytest.fixture(scope="session")
def small(attention: Problem) -> Problem:
    """One sample and one secret case. Its budget is the default one, so children are armed ahead."""
    cases = (attention.case(SAMPLE), attention.case(SECRET))
    return replace(attention, revision="small", cases=cases, limits=Limits(time_s=TIME_S))


DESCRIPTORS_OF_A_CHILD = 3
"""Its socket, its region, its pidfd."""


@dataclass
class Arena:
    """A running judge, and what it looked like before anybody attacked it."""

    judge: Judge
    small: Problem
    waived: frozenset[str]

    def __post_init__(self) -> None:
        self.patient = replace(self.small, limits=Limits(time_s=PATIENT_S))
        for _ in range(10):
            assert self.judge.grade(self.patient, RIGHT).verdict is Verdict.ACCEPTED
        self.zygotes = self.judge.pool.pids()
        assert traces.eventually(self._is_quiet)
        traces.bury_adopted()
        self.family = len(self._kin()) - self._ahead()
        self.descriptors = traces.descriptors() - self._ahead() * DESCRIPTORS_OF_A_CHILD
        self.marks = traces.marks()
        self.resident_mib = traces.resident_mib()

    def _kin(self) -> dict[int, str]:
        return traces.kin([zygote.spawned.process for zygote in self.judge.pool._zygotes])

    def _ahead(self) -> int:
        """Children armed ahead for limits other than the usual ones: attacks have such."""
        with self.judge.pool._lock:
            return sum(map(len, self.judge.pool._special.values()))

    def _is_quiet(self) -> bool:
        """Whether every finished child is gone and its place is armed anew."""
        pool = self.judge.pool
        armed = self.judge.options.armed * len(self.zygotes)
        if pool._later or pool._unarmed or pool.idle() != armed:
            return False
        return sum(len(zygote.children) for zygote in pool._zygotes) == armed + self._ahead()

    def attack(self, attack: Attack) -> Report:
        """Submit an attack under the limits that suit it: those that may be late soon are, the others have time."""
        limits = self.small.limits
        cases = self.small.cases
        late = attack.permits(Verdict.TIME_LIMIT_EXCEEDED)
        if attack.permits(Verdict.MEMORY_LIMIT_EXCEEDED):
            limits = replace(limits, memory_mib=SMALL_MIB, time_s=TIME_S if late else FILL_S)
        if "deadline" not in attack.layers and not late:
            limits = replace(limits, time_s=PATIENT_S)
        elif attack.name not in NEEDS_TWO_CASES:
            cases = cases[:1]
        return self.judge.grade(replace(self.small, limits=limits), attack.source, cases=cases)

    def settle(self) -> None:
        """Nothing of an attack is left, and an honest submission is accepted."""
        assert self.judge.grade(self.patient, RIGHT).verdict is Verdict.ACCEPTED
        assert self.judge.pool.pids() == self.zygotes, "a zygote was lost"
        assert traces.eventually(self._is_as_before), (
            f"processes {self.family} -> {self._kin()}, descriptors {self.descriptors} -> {traces.descriptors()}"
        )
        assert traces.marks() == self.marks

    def _is_as_before(self) -> bool:
        family, ahead = self._kin(), self._ahead()
        return (
            self._is_quiet()
            and len(family) == self.family + ahead
            and "Z" not in family.values()
            and traces.descriptors() == self.descriptors + ahead * DESCRIPTORS_OF_A_CHILD
        )


@contextmanager
def running_arena(small: Problem, waived: frozenset[str]) -> Iterator[Arena]:
    """A judge without these layers, ready to be attacked. The server's environment holds something to find."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TENSORGRADE_ESCAPE", "a secret of the server")
        with Judge(JudgeOptions(zygotes=1, waive=waived)) as judge, traces.adopting_orphans():
            yield Arena(judge, small, waived)


@pytest.fixture(scope="session", params=CONFIGURATIONS)
def arena(request: pytest.FixtureRequest, small: Problem) -> Iterator[Arena]:
    """A judge in one of the configurations; pytest runs all tests of one before it starts the next."""
    with running_arena(small, CONFIGURATIONS[request.param]) as arena:
        yield arena
