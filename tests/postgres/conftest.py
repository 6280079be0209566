"""A real PostgreSQL for the tests: one cluster a session on a free loopback port, one database a test."""

import json
import os
import pwd
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
import pytest

from app.checkout import publish_first
from app.settings import Settings
from app.store.store import Store
from problems.shipped import shipped_bank

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
    addresses: str = "127.0.0.1"

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
        listening = f"-p {self.port} -c listen_addresses={self.addresses} -c unix_socket_directories=''"
        settings = f"{listening} -c max_connections=200"
        log = self.directory / "log"
        self._run("pg_ctl", "start", "--wait", "-D", self.directory / "data", "-l", log, "-o", settings)

    def stop(self, mode="fast"):
        self._run("pg_ctl", "stop", "--wait", "-D", self.directory / "data", "-m", mode)

    def restart(self, addresses):
        """Listens on these, with commas between."""
        self.stop()
        self.addresses = addresses
        self.start()

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


@contextmanager
def fresh_database(cluster, template):
    """A copy of the template, for as long as it is needed."""
    name = _name()
    cluster.query("postgres", f"CREATE DATABASE {name} TEMPLATE {template}")
    yield Database(cluster, name)
    cluster.query("postgres", f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def database(cluster, template):
    """A database with our tables and nothing in them."""
    with fresh_database(cluster, template) as database:
        yield database


@pytest.fixture(scope="session")
def make_database(cluster, template):
    """Makes databases that live longer than a test."""
    return lambda: fresh_database(cluster, template)


def _name():
    test = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition("::")[2]
    return f"t_{re.sub('[^a-z0-9]+', '_', test.lower())[:40]}_{secrets.token_hex(3)}"


# ---------------------------------------------------------------------- processes
PROGRAM = Path(sys.executable).with_name("tensorgrade")
SLUG = "scaled-dot-product-attention"


@dataclass
class Process:
    """A replica or a worker in a process of its own."""

    command: tuple[str, ...]
    environment: dict[str, str]
    ready: str
    """The event that says that it is."""
    prefix: tuple[str, ...] = ()
    lines: list[dict] = field(default_factory=list)
    process: subprocess.Popen | None = None
    url: str = ""

    def start(self):
        """Starts it and waits until it is ready."""
        self.launch()
        self.wait_until_ready()
        return self

    def launch(self):
        """Starts it."""
        self.heard = threading.Event()
        self.process = subprocess.Popen(
            [*self.prefix, PROGRAM, *self.command], env=self.environment, stderr=subprocess.PIPE, text=True
        )
        threading.Thread(target=self._read, args=(self.process.stderr, self.heard), daemon=True).start()
        return self

    def wait_until_ready(self, wait_s=90):
        assert self.heard.wait(wait_s), self.lines[-20:]
        assert self.process.poll() is None, self.lines[-20:]

    def _read(self, stream, heard):
        with stream:
            for text in stream:
                line = json.loads(text) if text.startswith("{") else {"event": "text", "text": text}
                self.lines.append(line)
                if line["event"] == self.ready:
                    self.url = line.get("url", "")
                    heard.set()
        heard.set()

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        """Ends it as a service manager does; its exit status."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.process.send_signal(signal.SIGTERM)
        return self.process.wait(90)

    def events(self, name):
        """What it logged under this name."""
        return [line for line in self.lines if line["event"] == name]


def environment(home, **settings):
    """The environment of a process with a bank and data of its own."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("TENSORGRADE_")}
    own = {
        "TENSORGRADE_BANK": str(home / "bank"),
        "TENSORGRADE_DATA_DIR": str(home / "data"),
        "TENSORGRADE_RATE_LIMIT": "off",
        "TENSORGRADE_ZYGOTES": "1",
    }
    return {**inherited, **own, **settings}


def settings_for(database, home, **settings):
    """The same with this database."""
    return environment(home, **{"TENSORGRADE_DATABASE_URL": database.url, **settings})


@pytest.fixture
def processes():
    """Processes that end with the test, workers last."""
    made = []
    yield made
    for each in made:
        if each.process is not None:
            each.stop()


@pytest.fixture
def home(tmp_path):
    """A bank of files, which the first server publishes."""
    shutil.copytree(shipped_bank(), tmp_path / "home" / "bank")
    return tmp_path / "home"


@contextmanager
def one_machine(home):
    """A server that judges by itself."""
    server = Process(("serve", "--port", str(free_port())), environment(home), "serving").start()
    yield server
    server.stop()


@contextmanager
def many_machines(home, cluster, template):
    """A server and a worker, with a database of their own."""
    with fresh_database(cluster, template) as database:
        variables = settings_for(database, home)
        server = Process(("serve", "--port", str(free_port())), variables, "serving").start()
        worker = Process(("worker",), variables, "working").start()
        yield server
        server.stop()
        worker.stop()


@pytest.fixture(scope="session")
def modes(request):
    """The two ways to run the service: name and a function that starts it with a home directory."""
    return {
        "one machine": one_machine,
        "many machines": lambda home: many_machines(
            home, request.getfixturevalue("cluster"), request.getfixturevalue("template")
        ),
    }


@pytest.fixture
def replica(database, processes, home):
    """Makes servers that use the test's database; `.start()` starts them, on a port of their own."""

    def replica(*arguments, prefix=(), **settings):
        command = ("serve", "--port", str(free_port()), *arguments)
        processes.insert(0, Process(command, settings_for(database, home, **settings), "serving", prefix))
        return processes[0]

    return replica


@pytest.fixture
def worker(database, processes, home):
    """Makes workers of the test's database; `.start()` starts them."""

    def worker(*arguments, prefix=(), **settings):
        processes.append(Process(("worker", *arguments), settings_for(database, home, **settings), "working", prefix))
        return processes[-1]

    return worker


@pytest.fixture(scope="session")
def program():
    """The console command."""
    return PROGRAM


@pytest.fixture
def run(home):
    """Starts a command with this address of a database and waits for its end."""

    def run(*command, url):
        variables = environment(home, TENSORGRADE_DATABASE_URL=url)
        return subprocess.run(
            [PROGRAM, *command], env=variables, capture_output=True, text=True, timeout=100, check=False
        )

    return run


@pytest.fixture
def settings(database, home, tmp_path):
    """Those of a process of the test's database, for what runs in this process."""
    return Settings(database_url=database.url, bank=home / "bank", data_dir=tmp_path / "data")


@pytest.fixture
def store(settings):
    """The store of the test's database, with the bank of the test's home in it."""
    with Store(settings.data_dir, settings.database_url) as store:
        publish_first(settings, store)
        yield store
