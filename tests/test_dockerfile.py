"""No engine runs where the tests do, so the image is not built: what its lines name and do is tried one by one."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import socket
import subprocess
import time
import urllib.request
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent
INSTALLED_AT = "/opt/tensorgrade"


def instructions() -> list[tuple[str, str]]:
    """(keyword, rest) of each line; continuation lines joined, comments gone."""
    text = re.sub(r"\\\n", " ", (REPOSITORY / "Dockerfile").read_text(encoding="utf-8"))
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return [(line.split(None, 1)[0], line.split(None, 1)[1]) for line in lines]


def rest_of(keyword: str) -> list[str]:
    return [rest for name, rest in instructions() if name == keyword]


def run_lines(start: str) -> list[str]:
    return [rest for rest in rest_of("RUN") if rest.startswith(start)]


def test_every_file_that_is_copied_exists():
    for rest in rest_of("COPY"):
        words = rest.split()
        if not words[0].startswith("--from="):
            assert [word for word in words[:-1] if not (REPOSITORY / word).exists()] == []


def test_everything_that_the_package_is_made_of_is_copied():
    copied = {word for rest in rest_of("COPY") for word in rest.split()[:-1]}
    assert {"app", "judge", "problems", "static", "pyproject.toml", "hatch_build.py", "constraints.txt"} <= copied


def test_every_debian_package_exists():
    (line,) = run_lines("apt-get")
    install = line.split("&&")[1]
    for name in install.split()[2:]:
        if not name.startswith("-"):
            done = subprocess.run(["dpkg-query", "-W", name], capture_output=True, text=True, check=False)
            assert done.returncode == 0, f"{name} is not installed: make system"


def test_submitted_code_and_the_server_run_as_an_ordinary_user():
    last_from = max(index for index, (name, _) in enumerate(instructions()) if name == "FROM")
    users = [rest for name, rest in instructions()[last_from:] if name == "USER"]
    assert users == ["tensorgrade"]
    assert not any("--privileged" in rest for _, rest in instructions())


@pytest.mark.timeout(600)
def test_the_lines_that_install_and_the_command_that_serves_work_in_a_clean_environment(tmp_path):
    """As the image does it, but for the place, the torch index, and the user. Takes about a minute."""
    home = tmp_path / "tensorgrade"
    source = tmp_path / "src"
    source.mkdir()
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=REPOSITORY, capture_output=True, check=True).stdout
    for name in filter(None, tracked.decode().split("\0")):
        if (REPOSITORY / name).is_file():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(REPOSITORY / name, source / name)
    environment = {key: value for key, value in os.environ.items() if not key.startswith("TENSORGRADE_")}
    environment["PATH"] = f"{home}/bin:{environment['PATH']}"
    for line in run_lines("python -m venv") + run_lines("pip install"):
        command = line.replace(INSTALLED_AT, str(home)).replace('--extra-index-url "$TORCH_INDEX"', "")
        subprocess.run(shlex.split(command), cwd=source, env=environment, check=True, timeout=500)
    shutil.rmtree(source)  # nothing may need the checkout any more
    serve_and_ask(tmp_path, environment)


def serve_and_ask(tmp_path: Path, environment: dict[str, str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    settings = dict(pair.split("=", 1) for rest in rest_of("ENV")[1:] for pair in shlex.split(rest))
    data = {key: value.replace("/data", str(tmp_path / "data")) for key, value in settings.items() if key != "PATH"}
    (command,) = rest_of("CMD")
    words = [str(port) if word == "8000" else word for word in eval(command)]  # noqa: S307 - our own list of words
    words = ["127.0.0.1" if word == "0.0.0.0" else word for word in words]  # noqa: S104 - tests stay on loopback
    with subprocess.Popen(words, cwd=tmp_path, env={**environment, **data}) as server:
        try:
            assert answers(f"http://127.0.0.1:{port}/health", server)
        finally:
            server.terminate()
            server.wait(60)


def answers(url: str, server: subprocess.Popen[bytes]) -> bool:
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and server.poll() is None:
        try:
            with urllib.request.urlopen(url, timeout=4) as response:  # noqa: S310 - loopback
                return response.status == 200
        except OSError:
            time.sleep(0.2)
    return False
