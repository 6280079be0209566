"""`tensorgrade selftest` says which layer stopped what, and doctor and /health name the same layers."""

import json
from pathlib import Path

import pytest

from judge.grade import Judge
from judge.options import LAYERS, JudgeOptions
from judge.tryout import OUTSIDE, Arena, shipped_attacks

STATE_OF_DOCTOR = {"holds": "ok", "waived": "waived", "missing": "warning"}
"""The doctor's findings have states of their own; a layer that is missing while the judge runs is a warning."""
SHIPPED = {attack.name: attack for attack in shipped_attacks()}


@pytest.mark.timeout(400)
def test_every_attack_is_stopped_on_this_machine_and_the_layer_is_named(typed, run, client):
    done = typed("selftest", "--format", "json")
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout)
    assert found["held"]
    assert found["honest"]["accepted"] == found["honest"]["of"] > 10
    assert {attempt["attack"] for attempt in found["attempts"]} == set(SHIPPED)
    assert {attempt["stopped_by"] for attempt in found["attempts"]} <= {*LAYERS, OUTSIDE}
    assert {"policy", "seccomp", "deadline", "rlimits", "descriptors", OUTSIDE} <= {
        attempt["stopped_by"] for attempt in found["attempts"]
    }
    health = client.get("/health").json()["layers"]
    assert health == found["layers"]
    findings = json.loads(run("doctor", "--format", "json").stdout)["findings"]
    doctor = [(each["name"], each["state"], each["detail"]) for each in findings if each["name"] in LAYERS]
    assert doctor == [(each["name"], STATE_OF_DOCTOR[each["state"]], each["detail"]) for each in found["layers"]]


def test_an_attack_that_a_waived_layer_lets_through_is_said_to_get_through(attention):
    chosen = [SHIPPED[name] for name in ("keyctl", "read_etc_passwd", "patched_allclose")]
    with Judge(JudgeOptions(zygotes=1, waive=frozenset({"policy", "seccomp"}))) as judge:
        found = list(Arena(judge, attention).try_all(chosen, lambda *_: None))
    assert [(attempt.attack.name, attempt.held, attempt.stopped_by) for attempt in found] == [
        ("keyctl", False, ""),
        ("read_etc_passwd", True, "landlock"),
        ("patched_allclose", True, OUTSIDE),
    ]


ALONE = ("seccomp", "landlock", "bubblewrap", "identity", "rlimits", "descriptors")


@pytest.mark.parametrize("layer", ALONE)
def test_each_layer_alone_stops_the_attacks_that_name_it(attention, layer):
    """With every other layer waived but the clock: what is not stopped would hang the test.

    Root has no limit on processes, so limits need an identity to hold.
    """
    mine = [attack for attack in SHIPPED.values() if layer in attack.layers and "deadline" not in attack.layers]
    waived = frozenset(LAYERS) - {layer, "deadline"} - ({"identity"} if layer == "rlimits" else set())
    with Judge(JudgeOptions(zygotes=1, waive=waived)) as judge:
        arena = Arena(judge, attention)
        found = list(arena.try_all(mine, lambda *_: None))
    assert [(attempt.attack.name, attempt.verdict) for attempt in found if not attempt.held] == []
    assert set(arena.honest_verdicts) == {"accepted"}
    assert len(found) >= 3


def test_no_shipped_attack_names_a_file_or_process_that_it_would_destroy():
    """They run on operators' machines: what would do harm where it succeeds stays in tests/escapes."""
    words = ("unlink", "rmtree", "rename", "reboot", "setpriority", "kill(-1", "killpg", "settimeofday")
    for attack in SHIPPED.values():
        assert not any(word.encode() in attack.source for word in words), attack.name
    assert not {Path(name).name for name in SHIPPED} & {"fork_bomb", "fill_disk", "kill_everybody", "reboot"}
