"""Workers on machines of their own, as far as the network goes: each in a network namespace, one of them cut off."""

import os
import secrets
import shutil
import subprocess
from contextlib import ExitStack

import pytest

from tests.postgres.crowd import Crowd
from tests.postgres.machines import Machines, check, report
from tests.postgres.waiting import HALT, wait_for

ROLE = "tensorgrade_worker"


class Networks:
    """A bridge on this machine, with an address, and namespaces whose only way out is a cable to it."""

    def __init__(self, stack):
        self._stack = stack
        self._name = f"tg{secrets.token_hex(2)}"
        self._net = f"10.231.{secrets.randbelow(256)}"
        self.network = f"{self._net}.0/24"
        self.address = f"{self._net}.1"
        self._ip("link", "add", self._name, "type", "bridge")
        stack.callback(self._ip, "link", "delete", self._name)
        self._ip("address", "add", f"{self.address}/24", "dev", self._name)
        self._ip("link", "set", self._name, "up")

    def add(self, number):
        """A namespace; what has to stand before a command that is to run in it."""
        space, cable = f"{self._name}-{number}", self.cable(number)
        self._ip("netns", "add", space)
        self._stack.callback(self._ip, "netns", "delete", space)  # and with it the cable
        self._ip("link", "add", cable, "type", "veth", "peer", "name", "eth0", "netns", space)
        self._ip("link", "set", cable, "master", self._name, "up")
        for words in (
            ("address", "add", f"{self._net}.{number + 2}/24", "dev", "eth0"),
            ("link", "set", "eth0", "up"),
            ("link", "set", "lo", "up"),
        ):
            self._ip("-n", space, *words)
        return ("ip", "netns", "exec", space)

    def cable(self, number):
        return f"{self._name}c{number}"

    def plug(self, number, state):
        """Pulls a namespace's cable ("down"), or plugs it in again ("up")."""
        self._ip("link", "set", self.cable(number), state)

    def _ip(self, *words):
        subprocess.run(["ip", *words], check=True, timeout=30)


@pytest.fixture
def networks():
    """Gone after the test, whatever happens in it."""
    if not shutil.which("ip"):
        pytest.fail("This test needs ip: sudo apt-get install -y iproute2")
    if os.geteuid() != 0:
        pytest.fail("This test makes network namespaces: run it as root, sudo make test-long")
    with ExitStack() as stack:
        yield Networks(stack)


@pytest.fixture
def reachable(networks, cluster, database, program):
    """The address under which workers reach the database: nobody else may log in there."""
    grants = subprocess.run([program, "worker", "--grants"], capture_output=True, text=True, check=True).stdout
    database.query(grants)
    rules = cluster.directory / "data" / "pg_hba.conf"
    before = rules.read_text()
    rules.write_text(f"{before}\nhost {database.name} {ROLE} {networks.network} trust\n")
    cluster.restart(f"127.0.0.1,{networks.address}")
    yield database.url_for(ROLE, networks.address)
    rules.write_text(before)
    cluster.restart("127.0.0.1")


@pytest.mark.long
@pytest.mark.timeout(400)
def test_a_worker_that_is_cut_off_for_half_a_minute_loses_nothing(
    networks, reachable, database, replica, worker, capsys
):
    workers = [worker(prefix=networks.add(number), TENSORGRADE_DATABASE_URL=reachable) for number in range(2)]
    machines = Machines(database, [replica()], workers)
    with Crowd(machines.servers, 120, every_s=0.4) as crowd:
        machines.wait_until_both_judge()
        networks.plug(0, "down")
        machines.note("worker 1 cut off for 30 s")
        judged = len(workers[0].events("judged"))
        HALT.wait(30)
        networks.plug(0, "up")
        wait_for(lambda: len(workers[0].events("judged")) > judged)
    machines.wait_until_all_is_judged()
    report(machines, crowd, capsys)
    check(machines, crowd)
    assert [len(each.events("judged")) > 0 for each in workers] == [True, True]
