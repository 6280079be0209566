"""The real program under stress: servers that are killed and started again on the same data and port."""

import json
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from problems.shipped import shipped_bank

PROGRAM = Path(sys.executable).with_name("tensorgrade")


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def children(pid):
    found = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):
            found += [int(each) for each in task.read_text().split()]
    return found


def is_zygote(pid):
    """A zygote or one of its children, which share its command line; bubblewrap around it is neither."""
    with suppress(OSError):
        program, *arguments = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
        return b"python" in program and b"judge.jail.zygote" in arguments
    return False


def zygotes_below(pid):
    """Pids of the zygotes below a process that we started, never their children: who dies there is the submission."""
    found = []
    for child in children(pid):
        found += [child] if is_zygote(child) else zygotes_below(child)
    return found


@dataclass
class Server:
    """A server that can be killed and started again: same data, same port."""

    home: Path
    settings: dict[str, str] = field(default_factory=dict)
    prefix: tuple[str, ...] = ()
    port: int = field(default_factory=free_port)
    lines: list[dict] = field(default_factory=list)
    process: subprocess.Popen | None = None
    up: threading.Event = field(default_factory=threading.Event)
    """Set while it serves. A jail that is killed while it tries itself out rightly does not start."""

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    @property
    def data(self):
        return self.home / "data"

    def environment(self):
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("TENSORGRADE_")}
        own = {
            "TENSORGRADE_BANK": str(self.home / "bank"),
            "TENSORGRADE_DATA_DIR": str(self.data),
            "TENSORGRADE_RATE_LIMIT": "off",
        }
        return {**inherited, **own, **self.settings}

    def start(self):
        """Starts it and waits until it serves."""
        self.process = subprocess.Popen(
            [*self.prefix, PROGRAM, "serve", "--port", str(self.port)],
            env=self.environment(),
            stderr=subprocess.PIPE,
            text=True,
        )
        stream = self.process.stderr
        heard = threading.Event()

        def read():
            with stream:
                for text in stream:
                    line = json.loads(text) if text.startswith("{") else {"event": "text", "text": text}
                    self.lines.append(line)
                    if line["event"] == "serving":
                        self.up.set()
                        heard.set()
            heard.set()

        threading.Thread(target=read, daemon=True).start()
        assert heard.wait(90)
        assert self.up.is_set(), self.lines[-20:]
        return self

    def zygotes(self):
        """Pids of its zygotes."""
        return zygotes_below(self.process.pid)

    def kill(self):
        self.up.clear()
        self.process.kill()
        self.process.wait()

    def stop(self):
        """Ends it as a service manager does; its exit status."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        return self.process.wait(90)

    def query(self, sql):
        """Rows of its database."""
        with closing(sqlite3.connect(self.data / "tensorgrade.sqlite3")) as database:
            return database.execute(sql).fetchall()


@pytest.fixture
def server(tmp_path):
    """Makes servers, each with a bank of its own, that end with the test."""
    made = []

    def server(*, prefix=(), **settings):
        home = tmp_path / f"home-{len(made)}"
        shutil.copytree(shipped_bank(), home / "bank")
        made.append(Server(home, settings, prefix))
        return made[-1]

    yield server
    for each in made:
        if each.process is not None:
            each.stop()
