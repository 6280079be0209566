"""A disk that is full, locked or read-only is told in words, and nothing is corrupted."""

import os
import shutil
import sqlite3
import subprocess
import threading
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from tests.acceptance.conftest import PROGRAM
from tests.acceptance.sources import ACCEPTED, SLOW

MAY_WAIVE = {} if os.geteuid() == 0 else {"TENSORGRADE_WAIVE": "identity"}
"""In a user namespace of its own an ordinary user has no second identity to give the jail."""


def mounted(data, options):
    """A command that runs the rest with a file system of its own at `data`; nobody else sees the mount."""
    own = ("unshare", "--mount") if os.geteuid() == 0 else ("unshare", "--user", "--map-root-user", "--mount")
    data.mkdir(parents=True, exist_ok=True)
    return (*own, "sh", "-c", f'mount -t tmpfs -o {options} none "{data}" && exec "$@"', "sh")


def send(client, source=ACCEPTED, **headers):
    return client.post("/submit", json={"source": source}, headers=headers)


def refused(answer):
    assert answer.status_code == 503, answer.text
    assert int(answer.headers["retry-after"]) > 0
    assert "nothing was kept" in answer.json()["detail"]


@pytest.mark.timeout(180)
def test_a_full_disk_refuses_new_ones_and_keeps_what_it_has(server, tmp_path):
    full = server(**MAY_WAIVE)
    full.prefix = mounted(full.data, "size=6m")
    full.start()
    inside = Path(f"/proc/{full.process.pid}/root{full.data}")
    with httpx.Client(base_url=full.url, timeout=60) as client:
        before = send(client).json()
        running = send(client, SLOW, Prefer="wait=0")
        assert running.status_code == 202
        filler = inside / "filler"
        with filler.open("wb", buffering=0) as file:
            while True:
                try:
                    file.write(b"x" * 4096)
                except OSError:
                    break
        # What the write-ahead log has room for may still be taken; then it is full.
        answers = [send(client, f"{ACCEPTED}# {'x' * 60_000}") for _ in range(3)]
        refused(answers[-1])
        assert client.get(f"/submissions/{before['id']}").json()["verdict"] == "accepted"
        while not any(line["event"] == "not stored yet" for line in full.lines):
            client.get("/health")
        filler.unlink()
        report = client.get(running.headers["location"], headers={"Prefer": "wait=60"}).json()
        assert report["verdict"] == "time_limit_exceeded"
        assert send(client).json()["verdict"] == "accepted"
    for file in inside.glob("tensorgrade.sqlite3*"):
        shutil.copyfile(file, tmp_path / file.name)  # SQLite follows /proc/.../root to the directory outside
    with closing(sqlite3.connect(tmp_path / "tensorgrade.sqlite3")) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert database.execute("SELECT count(*) FROM judgings WHERE state <> 'done'").fetchall() == [(0,)]


@pytest.mark.timeout(180)
def test_a_database_that_is_locked_is_waited_for_and_then_told(server):
    locked = server().start()
    with (
        httpx.Client(base_url=locked.url, timeout=60) as client,
        closing(sqlite3.connect(locked.data / "tensorgrade.sqlite3", isolation_level=None)) as other,
    ):
        assert send(client).status_code == 200
        other.execute("BEGIN IMMEDIATE")
        refused(send(client))
        unlocking = threading.Timer(1.0, lambda: None)
        unlocking.start()
        answer = []
        waiting = threading.Thread(target=lambda: answer.append(send(client)))
        waiting.start()
        unlocking.join()
        other.execute("ROLLBACK")
        waiting.join()
        assert answer[0].json()["verdict"] == "accepted"


@pytest.mark.timeout(60)
def test_a_directory_that_cannot_be_written_ends_with_a_sentence(server):
    read_only = server()
    ended = subprocess.run(
        [*mounted(read_only.data, "ro"), PROGRAM, "serve", "--port", "0"],
        env=read_only.environment(),
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
    )
    assert ended.returncode == 2
    assert "Read-only file system; set TENSORGRADE_DATA_DIR to a directory of yours." in ended.stderr
    assert "Traceback" not in ended.stderr
