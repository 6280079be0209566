"""Many submissions of mixed kinds, several at once: no zombie, no file, no descriptor, no growth, no judge error."""

from __future__ import annotations

import itertools
import threading

import pytest

from judge.report import Verdict
from tests.escapes import traces
from tests.escapes.attack import agrees, said, suite
from tests.escapes.conftest import RIGHT, running_arena

AT_ONCE = 2
GROWTH_MIB = 24
SLOW = (Verdict.TIME_LIMIT_EXCEEDED, Verdict.MEMORY_LIMIT_EXCEEDED)


def mixed(count: int, *, slow: bool):
    """So many attacks, and an honest program after every second one."""
    quick = [each for each in suite() if not any(each.permits(verdict) for verdict in SLOW)]
    rest = [each for each in suite() if each not in quick]
    attacks = itertools.cycle(quick + rest if slow else quick)
    return [next(attacks) if place % 3 else None for place in range(count)]


def submit_all(arena, programs):
    """Submit them in AT_ONCE threads; what went wrong in words."""
    waiting = iter(programs)
    lock = threading.Lock()
    wrong = []

    def work():
        while True:
            with lock:
                try:
                    attack = next(waiting)
                except StopIteration:
                    return
            if attack is None:
                report, permitted = arena.judge.grade(arena.patient, RIGHT), ("accepted",)
            else:
                report, permitted = arena.attack(attack), attack.permitted(policy="policy" not in arena.waived)
            if not agrees(report, permitted):
                wrong.append(f"{attack.name if attack else 'honest'}: {said(report)}")

    threads = [threading.Thread(target=work) for _ in range(AT_ONCE)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return wrong


def soak(small, count, waived, *, slow):
    with running_arena(small, waived) as arena:
        assert submit_all(arena, mixed(40, slow=False)) == []  # the allocator has its arenas, every plan is made
        arena.settle()
        before = traces.resident_mib()
        assert submit_all(arena, mixed(count, slow=slow)) == []
        arena.settle()
        assert traces.resident_mib() - before < GROWTH_MIB


def test_150_submissions_of_mixed_kinds_leave_nothing_behind(small):
    soak(small, 150, frozenset({"policy"}), slow=False)


@pytest.mark.long
@pytest.mark.parametrize("waived", [frozenset(), frozenset({"policy"})], ids=["all layers", "policy off"])
def test_1000_submissions_of_mixed_kinds_leave_nothing_behind(small, waived):
    soak(small, 1000, waived, slow=True)
