"""Every acknowledged submission ends with exactly one verdict, the right one, whatever dies or freezes meanwhile."""

import pytest

from tests.postgres.crowd import Crowd
from tests.postgres.machines import Machines, check, report
from tests.postgres.waiting import wait_for


@pytest.mark.long
@pytest.mark.timeout(240)
def test_a_killed_worker_and_a_crash_of_the_database_lose_nothing(replica, worker, database, capsys):
    machines = Machines(database, [replica(), replica()], [worker(), worker()])
    with Crowd(machines.servers, 40, every_s=0.2) as crowd:
        wait_for(lambda: crowd.sent() >= 0.2)
        machines.kill_worker(0)
        machines.crash_database()
    machines.wait_until_all_is_judged()
    report(machines, crowd, capsys)
    check(machines, crowd)


@pytest.mark.long
@pytest.mark.timeout(1200)
def test_five_hundred_submissions_survive_everything_that_can_die(replica, worker, database, capsys):
    machines = Machines(database, [replica(), replica()], [worker(), worker()])
    with Crowd(machines.servers, 500, every_s=0.2) as crowd:
        wait_for(lambda: crowd.sent() >= 0.02)
        machines.kill_worker(0)
        machines.kill_worker(1)
        machines.kill_server(0)
        machines.kill_worker(0)
        machines.freeze_worker(0, 20)
        machines.kill_worker(1)
        machines.crash_database()
        machines.kill_server(1)
        machines.kill_worker(0)
        machines.kill_worker(1)
        assert crowd.sent() < 1
    machines.wait_until_all_is_judged()
    report(machines, crowd, capsys)
    check(machines, crowd)
