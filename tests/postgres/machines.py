"""Servers, workers and their database: to be killed, frozen and crashed, and to be looked at afterwards."""

import signal
import statistics
import time
from collections import Counter
from dataclasses import dataclass

from tests.postgres.crowd import program
from tests.postgres.waiting import HALT, wait_for

DOING = """
    SELECT workers.id, jobs.id FROM procrastinate_jobs jobs JOIN procrastinate_workers workers
    ON workers.id = jobs.worker_id
    WHERE jobs.status = 'doing' AND workers.last_heartbeat > now() - interval '3 seconds'
"""
"""What living workers have, and which."""


@dataclass
class Interrupted:
    """What was being judged when something died."""

    what: str
    at_ms: int
    attempts: dict[str, int]
    """Of each judging: the attempt that may never end."""


class Machines:
    """Two servers, two workers, and their database. Given what is not started yet."""

    def __init__(self, database, servers, workers):
        self.database = database
        self.servers = servers
        self.workers = workers
        self.interrupted = []
        for some in (servers, workers):
            for each in some:
                each.launch()
            for each in some:
                each.wait_until_ready()

    def kill_worker(self, number):
        """In the middle of something, with SIGKILL; another is started in its place."""
        self.wait_until_both_judge()
        self.workers[number].kill()
        self.note(f"worker {number + 1} killed")
        self.workers[number].start()

    def freeze_worker(self, number, for_s):
        self.wait_until_both_judge()
        self.workers[number].process.send_signal(signal.SIGSTOP)
        self.note(f"worker {number + 1} frozen for {for_s} s")
        HALT.wait(for_s)
        self.workers[number].process.send_signal(signal.SIGCONT)

    def kill_server(self, number):
        self.servers[number].kill()
        self.servers[number].start()

    def crash_database(self):
        self.wait_until_both_judge()
        self.note("PostgreSQL killed and started")
        self.database.cluster.crash_and_start()

    def wait_until_both_judge(self):
        """Something that takes longer than two looks."""
        before = set()

        def both():
            nonlocal before
            now = set(self.database.query(DOING))
            lasting, before = {worker for worker, _ in now & before}, now
            return len(lasting) == 2

        wait_for(both)

    def note(self, what):
        """Something just happened: what is being judged may have to be judged again."""
        rows = self.database.query("SELECT id, attempt FROM judgings WHERE state = 'judging'")
        before = {row for each in self.interrupted for row in each.attempts.items()}
        self.interrupted.append(Interrupted(what, int(time.time() * 1000), dict(set(rows) - before)))

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
            again_s, kept_s = [], []
            for judging, attempt in each.attempts.items():
                last, at_ms = ended[judging]
                (again_s if last > attempt else kept_s).append((at_ms - each.at_ms) / 1000)
            every += again_s
            yield f"{each.what}: judged again after {_seconds(again_s)}; by who had begun after {_seconds(kept_s)}"
        if every:
            yield f"time to re-run: median {statistics.median(every):.1f} s, slowest {max(every):.1f} s of {len(every)}"


def _seconds(values):
    return ", ".join(f"{value:.1f} s" for value in sorted(values)) or "-"


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
