"""The suite once more, with the judge started by an ordinary user.

Root's interpreter may lie where nobody else can read, so a virtual environment of Debian's own Python is made in a
world-readable folder; the packages are hard links to the tests' own.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

PYTHON = "/usr/bin/python3"
UID = 64099
"""Of nobody on the machine."""
OURS = ("judge", "problems", "app", "static")
REPOSITORY = Path(__file__).resolve().parents[2]

STATUS = """
import json, os
from judge.grade import Judge
from judge.options import JudgeOptions

with Judge(JudgeOptions(zygotes=1)) as judge:
    pids = judge.pool.pids()
    for child in judge.pool._zygotes[0].children.values():
        lines = open(f"/proc/self/fdinfo/{child.pidfd}").read().splitlines() if child.pidfd else []
        pids += [int(line.split()[1]) for line in lines if line.startswith("Pid:") and line.split()[1] != "-1"]
    found = []
    for pid in pids:
        status = dict(line.split(":", 1) for line in open(f"/proc/{pid}/status").read().splitlines())
        found.append({name: status[name].split() for name in ("Uid", "Gid", "CapEff", "CapPrm", "CapBnd", "CapInh")})
    print(json.dumps({"layers": judge.holding(), "processes": found, "me": os.getuid()}))
"""


@pytest.fixture(scope="module")
def home() -> Iterator[Path]:
    """A folder that everybody may read: a virtual environment with everything in it, and the tests."""
    folder = Path(tempfile.mkdtemp(prefix="tensorgrade-user-"))
    try:
        folder.chmod(0o755)
        subprocess.run([PYTHON, "-m", "venv", "--without-pip", folder / "venv"], check=True)
        packages = next((folder / "venv/lib").glob("python3*/site-packages"))
        version = f"python{sys.version_info.major}.{sys.version_info.minor}"
        assert packages.parent.name == version, f"{PYTHON} is not {version}: compiled packages do not fit it"
        _link(Path(sysconfig.get_paths()["platlib"]), packages)
        for name in OURS:
            shutil.copytree(REPOSITORY / name, packages / name, dirs_exist_ok=True)
        shutil.copytree(REPOSITORY / "tests", folder / "work/tests")
        shutil.copy(REPOSITORY / "pyproject.toml", folder / "work")
        subprocess.run(["chmod", "-R", "a+rX", packages / "judge", packages / "problems", folder / "work"], check=True)
        os.chown(folder / "work", UID, UID)
        yield folder
    finally:
        shutil.rmtree(folder)


def _link(source: Path, target: Path) -> None:
    """Hard links where source and target are on one file system, else copies."""
    same = source.stat().st_dev == target.stat().st_dev
    subprocess.run(["cp", "-rl" if same else "-r", f"{source}/.", target], check=True)


def as_user(home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run this environment's Python as the ordinary user, as a login would start it."""
    environment = {
        "HOME": str(home / "work"),
        "PATH": "/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    who = {"user": UID, "group": UID, "extra_groups": []} if os.getuid() == 0 else {}
    return subprocess.run(
        [home / "venv/bin/python", "-B", *words],
        cwd=home / "work",
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        **who,
    )


@pytest.mark.long
def test_started_by_a_user_nothing_in_the_jail_is_root_or_has_a_capability(home):
    import json  # noqa: PLC0415 - for this test alone

    ran = as_user(home, "-c", STATUS)
    assert ran.returncode == 0, ran.stderr
    found = json.loads(ran.stdout)
    assert "bubblewrap" in found["layers"]
    assert found["me"] != 0
    assert len(found["processes"]) >= 2
    for process in found["processes"]:
        assert "0" not in process["Uid"] + process["Gid"]
        assert [int(process[kind][0], 16) for kind in ("CapEff", "CapPrm", "CapInh", "CapBnd")] == [0, 0, 0, 0]


@pytest.mark.long
@pytest.mark.parametrize("file", ["test_escapes.py", "test_neighbours.py", "test_secrets.py"])
def test_started_by_a_user_the_suite_holds(home, file):
    ran = as_user(home, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "not long", f"tests/escapes/{file}")
    assert ran.returncode == 0, ran.stdout[-4000:] + ran.stderr[-2000:]
