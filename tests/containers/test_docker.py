"""Inside a container of Docker's defaults: bubblewrap cannot work, everything says so, and the rest holds."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import httpx
import pytest

from judge.jail.lockdown import landlock_version
from judge.options import LAYERS
from judge.tryout import RIGHT, SLUG
from tests.containers.docker_like import KEPT

EMULATION = Path(__file__).with_name("docker_like.py")
REPOSITORY = EMULATION.parents[2]
PROGRAM = Path(sys.executable).with_name("tensorgrade")
WAIVE = "" if landlock_version() else "bubblewrap,landlock"
"""On a kernel without Landlock too, the judge starts in such a container once both are waived by name."""

TRIES = """
import ctypes, errno, json, os, socket, sys, threading
sys.path.insert(0, sys.argv[1])
from tests.containers.docker_like import number_of
libc = ctypes.CDLL(None, use_errno=True)
def tried(name, *arguments):
    ctypes.set_errno(0)
    libc.syscall(number_of(name), *arguments)
    return ctypes.get_errno()
found = {name: tried(name, *arguments) for name, arguments in {
    "unshare": [0x10000000], "mount": [b"none", b"/mnt", b"tmpfs", 0, 0], "keyctl": [0, 0], "bpf": [0, 0, 0],
    "setns": [0, 0], "clone": [0x10000011, 0, 0, 0, 0], "clone3": [0, 0], "io_uring_setup": [1, 0],
    "userfaultfd": [0], "perf_event_open": [0, 0, -1, -1, 0], "personality": [0x40000], "socket": [40, 1, 0],
    "getpid": [],
}.items() if number_of(name) is not None}
found["query"] = 0 if libc.personality(0xFFFFFFFF) >= 0 else ctypes.get_errno()
thread = threading.Thread(target=found.setdefault, args=("thread", 0)); thread.start(); thread.join()
found["caps"] = next(line.split()[1] for line in open("/proc/self/status") if line.startswith("CapEff"))
print(json.dumps(found))
"""

ATTACKED = """
import json, sys
from judge.grade import Judge
from judge.options import JudgeOptions
from judge.tryout import SLUG, Arena, shipped_attacks
from problems.reading import load_problem
from problems.shipped import shipped_bank
waive = frozenset(sys.argv[1].split(",")) - {""}
with Judge(JudgeOptions(zygotes=1, waive=waive)) as judge:
    arena = Arena(judge, load_problem(shipped_bank() / SLUG))
    chosen = [each for each in shipped_attacks() if "bubblewrap" in each.layers] + shipped_attacks()[::6]
    found = list(arena.try_all(chosen, lambda *_: None))
    print(json.dumps({
        "layers": {layer.name: layer.state for layer in judge.layers()},
        "through": [[each.attack.name, each.verdict] for each in found if not each.held],
        "attempts": len(found),
        "honest": arena.honest_verdicts,
    }))
"""


def environment(home: Path, **settings: str) -> dict[str, str]:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("TENSORGRADE_")}
    own = {"TENSORGRADE_DATA_DIR": str(home / "data"), "TENSORGRADE_ZYGOTES": "1", "PYTHONPATH": str(REPOSITORY)}
    return {**inherited, **own, **{f"TENSORGRADE_{name}": value for name, value in settings.items() if value}}


@pytest.fixture
def contained(tmp_path):
    """Runs a command as in a container; settings by their names in lower case after the prefix."""

    def contained(*command, stdin=None, **settings):
        words = [sys.executable, EMULATION, *command]
        env = environment(tmp_path, **settings)
        return subprocess.run(words, env=env, input=stdin, capture_output=True, text=True, timeout=110, check=False)

    return contained


def test_the_emulation_refuses_what_docker_refuses_and_nothing_that_python_needs(contained):
    done = contained(sys.executable, "-c", TRIES, REPOSITORY)
    found = json.loads(done.stdout)
    capabilities = int(found.pop("caps"), 16)
    assert found.pop("clone3") == errno.ENOSYS
    allowed = {name: found.pop(name) for name in ("getpid", "query", "thread")}
    assert set(allowed.values()) == {0}
    assert set(found.values()) == {errno.EPERM}, found
    assert capabilities == (0 if os.geteuid() else sum(1 << each for each in KEPT.values()))


def test_the_judge_holds_in_a_container_without_bubblewrap_and_says_so(contained):
    done = contained(sys.executable, "-c", ATTACKED, WAIVE)
    found = json.loads(done.stdout)
    states = found["layers"]
    assert states.pop("bubblewrap") == ("waived" if WAIVE else "missing")
    if WAIVE:
        assert states.pop("landlock") == "waived"
    assert states == {name: "holds" for name in LAYERS if name in states}
    assert found["through"] == []
    assert found["attempts"] > 50
    assert set(found["honest"]) == {"accepted"}


def test_without_bubblewrap_and_landlock_the_judge_does_not_start_and_says_why(contained, tmp_path):
    (tmp_path / "mine.py").write_bytes(RIGHT)
    refused = contained(PROGRAM, "grade", tmp_path / "mine.py", "--problem", SLUG, WAIVE="landlock")
    assert refused.returncode == 3
    assert "bubblewrap, landlock: neither holds" in refused.stderr


@pytest.fixture
def served(tmp_path):
    words = [sys.executable, EMULATION, PROGRAM, "serve", "--port", "0"]
    process = subprocess.Popen(words, env=environment(tmp_path, WAIVE=WAIVE), stderr=subprocess.PIPE, text=True)
    said = []
    for text in process.stderr:
        said.append(text)
        if '"serving"' in text:
            break
    reader = threading.Thread(target=process.stderr.read)
    reader.start()
    yield json.loads(said[-1]).get("url") if said[-1].startswith("{") else pytest.fail("".join(said))
    process.send_signal(signal.SIGTERM)
    process.wait(timeout=60)
    reader.join()
    process.stderr.close()


def test_a_server_in_a_container_judges_and_its_health_names_the_missing_layer(served):
    health = httpx.get(f"{served.rstrip('/')}/health", timeout=60).json()
    (layer,) = [layer for layer in health["layers"] if layer["name"] == "bubblewrap"]
    assert layer["state"] == ("waived" if WAIVE else "missing")
    assert WAIVE or "let Landlock hold alone" in layer["detail"]
    body = {"problem": SLUG, "source": RIGHT.decode()}
    report = httpx.post(f"{served.rstrip('/')}/submit", json=body, timeout=60).json()
    assert (report["verdict"], len(report["cases"])) == ("accepted", 19)
    assert "bubblewrap" not in report["layers"]
