"""A real PostgreSQL for the tests: one cluster a session on a free loopback port, one database a test."""

import os
import pwd
import re
import secrets
import shutil
import socket
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest

from app.store.store import Store

PROGRAMS = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
NOBODY = "nobody"
"""Who runs the cluster when the tests run as root, which PostgreSQL refuses."""


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


@dataclass
class Cluster:
    """PostgreSQL in a directory of its own. Everybody on this machine may log in; it listens on loopback only."""

    directory: Path
    port: int

    def _run(self, program, *arguments):
        command = [PROGRAMS[-1] / program, *arguments]
        if os.geteuid() == 0:
            command = ["setpriv", "--reuid", NOBODY, "--regid", "nogroup", "--clear-groups", "--", *command]
        subprocess.run(command, cwd="/", check=True, timeout=60, stdout=subprocess.DEVNULL)

    def make(self):
        if os.geteuid() == 0:
            user = pwd.getpwnam(NOBODY)
            os.chown(self.directory, user.pw_uid, user.pw_gid)
        arguments = ["--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8"]
        self._run("initdb", "--no-instructions", *arguments, "-D", self.directory / "data")

    def start(self):
        settings = f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c max_connections=200"
        log = self.directory / "log"
        self._run("pg_ctl", "start", "--wait", "-D", self.directory / "data", "-l", log, "-o", settings)

    def stop(self, mode="fast"):
        self._run("pg_ctl", "stop", "--wait", "-D", self.directory / "data", "-m", mode)

    def crash_and_start(self):
        """As after a power cut: no checkpoint, recovery at the next start."""
        self.stop("immediate")
        self.start()

    def url(self, database, user="postgres", host="127.0.0.1"):
        return f"postgresql+psycopg://{user}@{host}:{self.port}/{database}"

    def query(self, database, sql, values=(), user="postgres"):
        with psycopg.connect(self._conninfo(database, user), autocommit=True) as connection:
            cursor = connection.execute(sql, values or None)
            return cursor.fetchall() if cursor.description else []

    def _conninfo(self, database, user="postgres"):
        return self.url(database, user).replace("+psycopg", "")


@dataclass
class Database:
    """One test's database in the cluster."""

    cluster: Cluster
    name: str

    @property
    def url(self):
        return self.cluster.url(self.name)

    def url_for(self, user, host="127.0.0.1"):
        """The address for another role, or from another place."""
        return self.cluster.url(self.name, user, host)

    def query(self, sql, values=(), user="postgres"):
        """The rows."""
        return self.cluster.query(self.name, sql, values, user)


@pytest.fixture(scope="session")
def cluster():
    """A running PostgreSQL."""
    if not PROGRAMS:
        pytest.fail("These tests need PostgreSQL's programs: sudo apt-get install -y postgresql")
    base = Path(tempfile.mkdtemp(prefix="tensorgrade-"))  # directories of pytest are closed to other users
    cluster = Cluster(base, free_port())
    try:
        cluster.make()
        cluster.start()
        yield cluster
        cluster.stop()
    finally:
        shutil.rmtree(base)


@pytest.fixture(scope="session")
def template(cluster, tmp_path_factory):
    """A database with our tables, to make copies of."""
    cluster.query("postgres", "CREATE DATABASE template_of_ours")
    with Store(tmp_path_factory.mktemp("none"), cluster.url("template_of_ours")):
        pass
    return "template_of_ours"


@pytest.fixture
def empty_database(cluster):
    """A database without any table."""
    name = _name()
    cluster.query("postgres", f"CREATE DATABASE {name}")
    yield Database(cluster, name)
    cluster.query("postgres", f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def database(cluster, template):
    """A database with our tables and nothing in them."""
    name = _name()
    cluster.query("postgres", f"CREATE DATABASE {name} TEMPLATE {template}")
    yield Database(cluster, name)
    cluster.query("postgres", f"DROP DATABASE {name} WITH (FORCE)")


def _name():
    test = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition("::")[2]
    return f"t_{re.sub('[^a-z0-9]+', '_', test.lower())[:40]}_{secrets.token_hex(3)}"
