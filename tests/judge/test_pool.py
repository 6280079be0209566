"""Which children are armed ahead, and for whom."""

from __future__ import annotations

import os
import signal
import time
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor

import pytest

from judge.children import Budget, fork_child
from judge.grade import Judge
from judge.options import JudgeOptions
from judge.pool import KEPT_BUDGETS
from judge.report import Verdict
from judge.selftest import tiny_problem

BUDGETS = [Budget(memory_mib, 7) for memory_mib in (96, 128, 160)]


@pytest.fixture(scope="module")
def pool():
    with Judge(JudgeOptions(zygotes=1, armed=1)) as judge:
        yield judge.pool


def until(holds) -> None:
    deadline = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def shelves(pool) -> dict[Budget, int]:
    """How many children of each budget are armed and wait."""
    with pool._lock:
        return {budget: len(shelf) for budget, shelf in pool._special.items() if shelf}


def use(pool, budget: Budget) -> None:
    child = pool.take(budget, 60.0)
    assert child.budget == budget
    pool.release(child)


def test_the_next_child_of_a_problem_with_limits_of_its_own_is_armed_ahead(pool):
    use(pool, BUDGETS[0])
    until(lambda: shelves(pool).get(BUDGETS[0]) == 1)


def test_only_the_limits_used_last_have_a_child_armed_ahead(pool):
    for budget in BUDGETS:
        use(pool, budget)
        until(lambda budget=budget: shelves(pool).get(budget) == 1)
    assert len(BUDGETS) == KEPT_BUDGETS + 1
    until(lambda: shelves(pool) == dict.fromkeys(BUDGETS[1:], 1))


def test_a_child_that_is_given_up_is_gone(pool):
    for budget in BUDGETS:
        use(pool, budget)
        until(lambda budget=budget: shelves(pool).get(budget) == 1)
    (zygote,) = pool._zygotes
    usual = pool._armed
    until(lambda: len(zygote.children) == usual + KEPT_BUDGETS)


def test_callers_who_wait_at_once_for_one_budget_each_get_a_child(pool):
    taken = [pool.take(BUDGETS[0], 60.0) for _ in range(4)]
    assert len({child.id for child in taken}) == 4
    for child in taken:
        pool.release(child)
    until(lambda: shelves(pool).get(BUDGETS[0]) == 1)


def test_only_a_child_that_nobody_waits_for_rehearses(pool, monkeypatch):
    rehearsed = {}

    def fork(zygote, child_id, budget, *, rehearse):
        rehearsed.setdefault(budget, rehearse)
        return fork_child(zygote, child_id, budget, rehearse=rehearse)

    monkeypatch.setattr("judge.pool.fork_child", fork)
    new = Budget(192, 9)  # nobody has asked for it before: this caller waits
    for budget in (pool._budget, new):
        until(lambda: pool.idle() == pool._armed)
        use(pool, budget)
        until(lambda budget=budget: budget in rehearsed)
    assert rehearsed == {new: False, pool._budget: True}


def test_programs_are_accepted_however_many_wait_for_children():
    problem = tiny_problem()
    source = b"def double(X):\n    return X * 2\n"
    with Judge(JudgeOptions(zygotes=1, armed=1)) as judge, ThreadPoolExecutor(6) as callers:
        reports = list(callers.map(lambda _: judge.grade(problem, source), range(24)))
    assert {report.verdict for report in reports} == {Verdict.ACCEPTED}


def test_budgets_are_looked_through_only_while_no_caller_can_change_their_order(pool):
    looked = []

    class Watched(OrderedDict):
        def __iter__(self):
            looked.append(pool._lock._is_owned())
            return super().__iter__()

    with pool._lock:
        pool._special = Watched(pool._special)
    for budget in BUDGETS:
        use(pool, budget)
        until(lambda budget=budget: shelves(pool).get(budget) == 1)
    with pool._lock:
        pool._special = OrderedDict(pool._special)
    assert looked
    assert all(looked)


def test_who_waits_for_limits_of_their_own_gets_a_child_of_the_zygote_that_comes_after_a_lost_one():
    with Judge(JudgeOptions(zygotes=1, armed=1)) as judge:
        os.kill(judge.pool.pids()[0], signal.SIGKILL)
        child = judge.pool.take(BUDGETS[0], 60.0)
        assert child.budget == BUDGETS[0]
        judge.pool.release(child)
