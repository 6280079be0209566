"""Each layer alone, and each layer missing: which attacks the others still stop.

`layers:` in an attack's head names those that must stop it alone. `expectations.toml` names the attacks that are not
stopped, or not safe to try, where one layer is missing.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from judge.options import LAYERS
from tests.escapes.attack import OUTSIDE, agrees, said, suite
from tests.escapes.conftest import running_arena

EXPECTATIONS = tomllib.loads((Path(__file__).parent / "expectations.toml").read_text())
VIEWS = ("policy", "seccomp", "bubblewrap", "landlock")
"""Layers that an operator could really do without one by one. The others never leave an attack alone with the machine:
without rlimits and the deadline the attacks would be on whoever runs the tests."""
ALWAYS = frozenset(LAYERS) - frozenset(VIEWS) | {OUTSIDE}
SUITE = suite()


def try_each(arena, attacks, *, policy):
    """What was wrong, in words; nothing is left behind after any of them."""
    wrong = []
    for attack in attacks:
        report = arena.attack(attack)
        if not agrees(report, attack.permitted(policy=policy)):
            words = [case.message for case in report.cases if case.message]
            wrong.append(f"{attack.name}: {said(report)} {words[:1]}")
        arena.settle()
    return wrong


def test_expectations_name_layers_and_attacks_that_exist():
    names = {attack.name for attack in SUITE}
    assert set(EXPECTATIONS) <= set(LAYERS)
    for attacks in EXPECTATIONS.values():
        assert set(attacks) <= names


@pytest.mark.long
@pytest.mark.parametrize("layer", VIEWS)
def test_a_layer_alone_stops_what_the_attacks_say_it_stops(small, layer):
    with running_arena(small, frozenset(VIEWS) - {layer}) as arena:
        attacks = [attack for attack in SUITE if layer in attack.layers]
        assert len(attacks) > 20
        assert try_each(arena, attacks, policy=layer == "policy") == []


@pytest.mark.long
def test_limits_identity_and_comparison_stop_their_attacks_with_nothing_else_there(small):
    """Only what names one of them: the rest would reach the machine that runs the tests."""
    with running_arena(small, frozenset(VIEWS)) as arena:
        attacks = [attack for attack in SUITE if attack.layers & ALWAYS]
        assert len(attacks) > 100
        assert try_each(arena, attacks, policy=False) == []


@pytest.mark.long
@pytest.mark.parametrize("layer", [layer for layer in LAYERS if layer != "policy"])
def test_without_one_layer_the_others_hold_but_for_what_is_expected(small, layer):
    expected = EXPECTATIONS.get(layer, {})
    with running_arena(small, frozenset({"policy", layer})) as arena:
        attacks = [attack for attack in SUITE if attack.name not in expected]
        assert try_each(arena, attacks, policy=False) == []
