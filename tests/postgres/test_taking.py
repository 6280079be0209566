"""Nothing is lost: workers that die, freeze or lose their database, and judgings whose job is gone."""

import signal
import time

import httpx
import pytest

from tests.acceptance.sources import ACCEPTED

SLUG = "scaled-dot-product-attention"
SLOW = ACCEPTED.replace(
    "    return", "    for _ in range(30):\n        torch.randn(500, 500) @ torch.randn(500, 500)\n    return"
)


@pytest.fixture
def server(replica):
    return replica().start()


@pytest.fixture
def submit(server):
    """Submits without waiting; gives the address of the report."""

    def submit(source=ACCEPTED):
        body = {"problem": SLUG, "source": source}
        answer = httpx.post(f"{server.url}submit", json=body, headers={"Prefer": "wait=0"}, timeout=60)
        assert answer.status_code == 202
        return server.url[:-1] + answer.headers["location"]

    return submit


def report_at(address):
    return httpx.get(address, headers={"Prefer": "wait=60"}, timeout=90).json()


def wait_for(look, within_s=30):
    end = time.monotonic() + within_s
    while not (found := look()) and time.monotonic() < end:
        time.sleep(0.05)
    assert found
    return found


def test_what_a_killed_worker_had_begun_another_judges(submit, worker, database):
    first = worker().start()
    address = submit(SLOW)
    wait_for(lambda: database.query("SELECT 1 FROM judgings WHERE state = 'judging'"))
    first.kill()
    second = worker().start()
    assert report_at(address)["verdict"] == "accepted"
    assert [line["attempt"] for line in second.events("judged")] == [2]


@pytest.mark.long
def test_a_frozen_worker_that_wakes_up_late_changes_nothing(submit, worker, database):
    frozen = worker().start()
    address = submit(SLOW)
    wait_for(lambda: database.query("SELECT 1 FROM judgings WHERE state = 'judging'"))
    frozen.process.send_signal(signal.SIGSTOP)
    worker().start()
    assert report_at(address)["verdict"] == "accepted"
    before = database.query("SELECT attempt, judged_at_ms, report FROM judgings")
    frozen.process.send_signal(signal.SIGCONT)
    wait_for(lambda: frozen.events("dropped"))
    assert database.query("SELECT attempt, judged_at_ms, report FROM judgings") == before
    assert [attempt for attempt, _, _ in before] == [2]


def test_workers_and_servers_survive_a_crash_of_the_database(submit, worker, cluster):
    worker().start()
    assert report_at(submit())["verdict"] == "accepted"
    cluster.crash_and_start()
    assert report_at(submit())["verdict"] == "accepted"


@pytest.mark.long
def test_workers_and_servers_go_on_when_the_database_was_away_for_long(server, submit, worker, cluster, database):
    judge = worker().start()
    addresses = [submit(SLOW)]
    wait_for(lambda: database.query("SELECT 1 FROM judgings WHERE state = 'judging'"))
    addresses.append(submit())
    cluster.stop("immediate")
    wait_for(lambda: len(judge.events("not stored yet")) >= 5, 60)
    refused = httpx.post(f"{server.url}submit", json={"problem": SLUG, "source": ACCEPTED}, timeout=60)
    assert (refused.status_code, "retry-after" in refused.headers) == (503, True)
    cluster.start()
    assert [report_at(address)["verdict"] for address in [*addresses, submit()]] == ["accepted"] * 3


def test_a_judging_whose_job_was_lost_gets_another(submit, worker, database):
    address = submit()
    database.query("DELETE FROM procrastinate_jobs")
    database.query("UPDATE judgings SET queued_at_ms = queued_at_ms - 60000")
    judge = worker().start()
    assert report_at(address)["verdict"] == "accepted"
    wait_for(lambda: judge.events("had no job"))


def test_a_worker_that_is_told_to_stop_finishes_what_it_has(submit, worker, database):
    judge = worker().start()
    address = submit(SLOW)
    wait_for(lambda: database.query("SELECT 1 FROM judgings WHERE state = 'judging'"))
    assert judge.stop() == 0
    assert report_at(address)["verdict"] == "accepted"
    assert database.query("SELECT attempt FROM judgings") == [(1,)]
    assert database.query("SELECT count(*) FROM procrastinate_workers") == [(0,)]
