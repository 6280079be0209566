"""A PostgreSQL of its own for the scripts beside it: a directory, a free loopback port, every commit on the disk."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PROGRAMS = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
NOBODY = "nobody"
"""Who runs it for root, which PostgreSQL refuses."""


def _run(program: str, *arguments: str) -> None:
    command = [str(PROGRAMS[-1] / program), *arguments]
    if os.geteuid() == 0:
        command = ["setpriv", "--reuid", NOBODY, "--regid", "nogroup", "--clear-groups", "--", *command]
    subprocess.run(command, cwd="/", check=True, timeout=60, stdout=subprocess.DEVNULL)  # noqa: S603 -- Debian's


@contextmanager
def postgres() -> Iterator[tuple[str, int]]:
    """The address of an empty database, as TENSORGRADE_DATABASE_URL, and the process that started all others of it."""
    if not PROGRAMS:
        raise SystemExit("PostgreSQL's programs are missing: sudo apt-get install -y postgresql")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    base = Path(tempfile.mkdtemp(prefix="tensorgrade-"))
    data = str(base / "data")
    try:
        if os.geteuid() == 0:
            user = pwd.getpwnam(NOBODY)
            os.chown(base, user.pw_uid, user.pw_gid)
        _run("initdb", "--no-instructions", "--username=postgres", "--auth=trust", "--encoding=UTF8", "-D", data)
        settings = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=''"
        _run("pg_ctl", "start", "--wait", "-D", data, "-l", str(base / "log"), "-o", settings)
        try:
            pid = int((base / "data" / "postmaster.pid").read_text(encoding="ascii").split()[0])
            yield f"postgresql+psycopg://postgres@127.0.0.1:{port}/postgres", pid
        finally:
            _run("pg_ctl", "stop", "--wait", "-D", data, "-m", "fast")
    finally:
        shutil.rmtree(base)
