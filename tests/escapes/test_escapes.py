"""The attack suite: each attack gets its verdict in bounded time and leaves nothing behind."""

from __future__ import annotations

import time

import pytest

from judge.report import Verdict
from tests.escapes import traces
from tests.escapes.attack import agrees, said, suite

SUITE = suite()
GROWTH_MIB = 24


@pytest.mark.parametrize("attack", SUITE, ids=lambda attack: attack.name)
def test_an_attack_gets_its_verdict_and_leaves_nothing_behind(arena, attack):
    began = time.monotonic()
    report = arena.attack(attack)
    took_s = time.monotonic() - began
    permitted = attack.permitted(policy="policy" not in arena.waived)
    words = [case.message for case in report.cases] + [error.message for error in report.errors]
    assert agrees(report, permitted), f"{said(report)}, not {' or '.join(permitted)}: {words} {attack.why}"
    assert took_s < 10
    arena.settle()


def test_the_supervisor_has_not_grown_under_attack(arena):
    assert traces.resident_mib() - arena.resident_mib < GROWTH_MIB


def test_the_suite_is_large_and_each_attack_says_why():
    assert len(SUITE) >= 120
    assert all(attack.why.endswith(".") for attack in SUITE)


def test_no_attack_may_be_accepted_unless_it_computes_the_answer():
    """Where accepted is permitted, the source holds the right formula outside of any attack's success."""
    for attack in SUITE:
        if "accepted" in (*attack.with_policy, *attack.without_policy):
            assert b"torch.softmax(" in attack.source or b"F.scaled_dot_product_attention(" in attack.source, (
                attack.name
            )


def test_nothing_but_a_forged_complaint_about_the_problem_is_a_judge_error():
    blaming = {attack.name for attack in SUITE if attack.permits(Verdict.JUDGE_ERROR)}
    assert blaming == {"load_record_blames_the_author"}
