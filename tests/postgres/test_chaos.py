"""Every acknowledged submission ends with exactly one verdict, the right one, whatever dies or freezes meanwhile."""

import signal
import statistics
import threading
import time
from collections import Counter
from dataclasses import dataclass

import pytest

from tests.postgres.crowd import Crowd, program

HALT = threading.Event()
"""Is never set: what waits for it waits for time to pass."""

DOING = """
    SELECT workers.id, jobs.id FROM procrastinate_jobs jobs JOIN procrastinate_workers workers
    ON workers.id = jobs.worker_id
    WHERE jobs.status = 'doing' AND workers.last_heartbeat > now() - interval '3 seconds'
"""
"""What living workers have, and which."""


def wait_for(look, within_s=60):
    """What it finds, once it finds anything."""
    end = time.monotonic() + within_s
    while not (found := look()) and time.monotonic() < end:
        HALT.wait(0.02)
    assert found
    return found


@dataclass
class Interrupted:
    """What was being judged when something died."""

    what: str
    at_ms: int
    attempts: dict[str, int]
    """Of each judging: the attempt that may never end."""


class Machines:
    """Two servers, two workers, and their database."""

    def __init__(self, replica, worker, database):
        self.database = database
        self.servers = [replica().launch() for _ in range(2)]
        for server in self.servers:
            server.wait_until_ready()
        self.workers = [worker().launch() for _ in range(2)]
        for each in self.workers:
            each.wait_until_ready()
        self.interrupted = []

    def kill_worker(self, number):
        """In the middle of something, with SIGKILL; another is started in its place."""
        self._wait_until_both_judge()
        self.workers[number].kill()
        self._note(f"worker {number + 1} killed")
        self.workers[number].start()

    def freeze_worker(self, number, for_s):
        self._wait_until_both_judge()
        self.workers[number].process.send_signal(signal.SIGSTOP)
        self._note(f"worker {number + 1} frozen for {for_s} s")
        HALT.wait(for_s)
        self.workers[number].process.send_signal(signal.SIGCONT)

    def kill_server(self, number):
        self.servers[number].kill()
        self.servers[number].start()

    def crash_database(self):
        self._wait_until_both_judge()
        self._note("PostgreSQL killed and started")
        self.database.cluster.crash_and_start()

    def _wait_until_both_judge(self):
        """Something that takes longer than two looks."""
        before = set()

        def both():
            nonlocal before
            now = set(self.database.query(DOING))
            lasting, before = {worker for worker, _ in now & before}, now
            return len(lasting) == 2

        wait_for(both)

    def _note(self, what):
        rows = self.database.query("SELECT id, attempt FROM judgings WHERE state = 'judging'")
        self.interrupted.append(Interrupted(what, int(time.time() * 1000), dict(rows)))

    # ------------------------------------------------------------------ afterwards
    def wait_until_all_is_judged(self):
        wait_for(lambda: self.database.query("SELECT count(*) FROM judgings WHERE state <> 'done'") == [(0,)], 180)
        wait_for(lambda: self.database.query("SELECT count(*) FROM procrastinate_jobs") == [(0,)])

    def figures(self):
        """Lines about the time from each interruption until what was being judged had its verdict."""
        ended = {
            judging: (attempt, at_ms)
            for judging, attempt, at_ms in self.database.query("SELECT id, attempt, judged_at_ms FROM judgings")
        }
        every = []
        for each in self.interrupted:
            again_s = [
                (ended[judging][1] - each.at_ms) / 1000
                for judging, attempt in each.attempts.items()
                if ended[judging][0] > attempt
            ]
            every += again_s
            yield f"{each.what}: judged again after {', '.join(f'{s:.1f} s' for s in sorted(again_s)) or '- (nothing)'}"
        if every:
            yield f"time to re-run: median {statistics.median(every):.1f} s, slowest {max(every):.1f} s of {len(every)}"


def check(machines, crowd):
    """One current verdict each, the right one; nothing judged twice, nothing refused without words."""
    verdicts = {program(number)[0]: program(number)[1] for number in range(crowd.submissions)}
    rows = machines.database.query(
        "SELECT s.id, s.source, j.state, j.verdict, j.current, j.total,"
        " (SELECT count(*) FROM case_results c WHERE c.judging = j.id)"
        " FROM submissions s LEFT JOIN judgings j ON j.submission = s.id"
    )
    assert len(rows) == len({row[0] for row in rows}) == crowd.submissions
    assert {row[0] for row in rows} == set(crowd.acknowledged.values())
    found = [(bytes(source).decode(), state, verdict, current) for _, source, state, verdict, current, _, _ in rows]
    assert [row for row in found if row[1:] != ("done", verdicts[row[0]], True)] == []
    assert [row for row in rows if row[3] != "compile_error" and row[5] != row[6]] == []
    stored = Counter(line["submission"] for each in machines.workers for line in each.events("judged"))
    assert max(stored.values()) == 1
    assert {status for status, _, _ in crowd.refused} <= {429, 503}, crowd.refused[:3]
    assert all(again is not None for _, again, _ in crowd.refused)


def report(machines, crowd, capsys):
    dropped = sum(len(each.events("dropped")) for each in machines.workers)
    with capsys.disabled():
        print(  # noqa: T201 -- the figures of the test
            f"\n{len(crowd.acknowledged)} acknowledged, {crowd.unanswered} requests unanswered, "
            f"{len(crowd.refused)} refused, {dropped} late verdicts dropped",
            *machines.figures(),
            sep="\n",
        )


@pytest.mark.timeout(240)
def test_a_killed_worker_and_a_crash_of_the_database_lose_nothing(replica, worker, database, capsys):
    machines = Machines(replica, worker, database)
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
    machines = Machines(replica, worker, database)
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
