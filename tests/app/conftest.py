"""The real program: `tensorgrade serve` in a process of its own, and commands as a shell would start them."""

import contextlib
import io
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest

from app.cli import main
from problems.shipped import shipped_bank
from tests.acceptance.sources import ACCEPTED

PROGRAM = Path(sys.executable).with_name("tensorgrade")
SLUG = "scaled-dot-product-attention"


def environment(home: Path, **more: str) -> dict[str, str]:
    """Ours without any setting, and a bank and data of this test's own."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("TENSORGRADE_")}
    own = {"TENSORGRADE_BANK": str(home / "bank"), "TENSORGRADE_DATA_DIR": str(home / "data")}
    return {**inherited, **own, "TENSORGRADE_ZYGOTES": "1", "TENSORGRADE_RATE_LIMIT": "off", **more}


@dataclass
class Served:
    """A running server."""

    url: str
    bank: Path
    process: subprocess.Popen
    lines: list[dict] = field(default_factory=list)

    @property
    def port(self) -> int:
        return int(self.url.rstrip("/").rpartition(":")[2])

    def raw(self, request: bytes, *, hang_up: bool = False, timeout: float = 20.0) -> bytes:
        """What comes back for these bytes until the server closes. `hang_up`: and no more bytes will come."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=timeout) as connection:
            received = b""
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                connection.sendall(request)
                if hang_up:
                    connection.shutdown(socket.SHUT_WR)
                while chunk := connection.recv(65536):
                    received += chunk
            return received


def start(home: Path, *arguments: str, **settings: str) -> Served:
    """Starts `tensorgrade serve` on a free port and waits until it says where it serves."""
    process = subprocess.Popen(
        [PROGRAM, "serve", "--port", "0", *arguments],
        env=environment(home, **settings),
        stderr=subprocess.PIPE,
        text=True,
    )
    lines: list[dict] = []
    said = (json.loads(text) if text.startswith("{") else {"text": text} for text in process.stderr)
    for line in said:
        lines.append(line)
        if lines[-1].get("event") == "serving":
            break
    else:
        process.wait()
        process.stderr.close()
        pytest.fail(f"the server did not start: {lines}")

    threading.Thread(target=lines.extend, args=(said,), daemon=True).start()
    return Served(lines[-1]["url"], home / "bank", process, lines)


def stop(served: Served) -> int:
    """Ends a server as a service manager does, if it still runs; gives its exit status."""
    served.process.send_signal(signal.SIGTERM)
    status = served.process.wait(timeout=60)
    served.process.stderr.close()
    return status


@pytest.fixture(scope="session")
def program():
    """Start, stop and environment of servers, for tests that kill them."""
    return SimpleNamespace(path=PROGRAM, start=start, stop=stop, environment=environment)


@pytest.fixture(scope="session")
def home(tmp_path_factory):
    """A directory with a bank that these tests may change."""
    home = tmp_path_factory.mktemp("home")
    shutil.copytree(shipped_bank(), home / "bank")
    return home


@pytest.fixture(scope="session")
def served(home):
    served = start(home)
    yield served
    stop(served)


@pytest.fixture(scope="session")
def client(served):
    with httpx.Client(base_url=served.url, timeout=60) as client:
        yield client


@pytest.fixture
def submit(client):
    def submit(source=ACCEPTED, **more):
        return client.post("/submit", json={"problem": SLUG, "source": source, **more})

    return submit


@pytest.fixture
def own_home(tmp_path):
    """A bank of one test's own."""
    shutil.copytree(shipped_bank(), tmp_path / "own" / "bank")
    return tmp_path / "own"


@pytest.fixture
def run(own_home):
    """Starts a command with a bank of its own; gives the finished process."""

    def run(*arguments, stdin=None, **settings):
        return subprocess.run(
            [PROGRAM, *map(str, arguments)],
            env=environment(own_home, **settings),
            input=stdin,
            capture_output=True,
            text=True,
            timeout=110,
            check=False,
        )

    return run


@pytest.fixture
def typed(own_home, monkeypatch, capsys):
    """A command in this process, for those that end before a judge starts; gives what `run` gives."""
    for name in [name for name in os.environ if name.startswith("TENSORGRADE_")]:
        monkeypatch.delenv(name)
    for name, value in environment(own_home).items():
        monkeypatch.setenv(name, value)

    def typed(*arguments, stdin="", **settings):
        for name, value in settings.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setattr(sys, "argv", ["tensorgrade", *map(str, arguments)])
        with io.TextIOWrapper(io.BytesIO(stdin.encode())) as stream:
            monkeypatch.setattr(sys, "stdin", stream)
            with pytest.raises(SystemExit) as ended:
                main()
        said = capsys.readouterr()
        return subprocess.CompletedProcess(arguments, ended.value.code or 0, said.out, said.err)

    return typed


@pytest.fixture
def start_server(tmp_path):
    """Starts servers of one test's own: `start_server(*arguments, **settings)`; they end with the test."""
    started = []

    def start_server(*arguments, **settings):
        started.append(start(tmp_path, *arguments, **settings))
        return started[-1]

    yield start_server
    for served in started:
        stop(served)
