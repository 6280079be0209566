"""Nothing that was acknowledged is lost, judged twice or judged wrongly, whatever is killed meanwhile."""

import os
import random
import signal
import threading
import uuid
from contextlib import suppress

import httpx
import pytest

from tests.acceptance.sources import SOURCES

STUDENTS = 6


class Student(threading.Thread):
    """Submits one thing after another and tries again, with the same key, until each is acknowledged."""

    def __init__(self, crowd, number):
        super().__init__(daemon=True)
        self.crowd = crowd
        self.random = random.Random(number)  # noqa: S311 -- so that a failure can be had again

    def run(self):
        with httpx.Client(base_url=self.crowd.server.url, timeout=60) as client:
            while self.crowd.take():
                kind = self.random.choice(list(SOURCES))
                wait = self.random.choice([0, 0, 20])
                headers = {"Idempotency-Key": uuid.uuid4().hex, "Prefer": f"wait={wait}"}
                while not self.acknowledged(client, kind, headers):
                    self.crowd.over.wait(0.05)

    def acknowledged(self, client, kind, headers):
        source, verdict = SOURCES[kind]
        try:
            answer = client.post("/submit", json={"source": source}, headers=headers)
        except httpx.TransportError:
            return False
        if answer.status_code not in {200, 202}:
            self.crowd.refusals.append((answer.status_code, answer.headers.get("retry-after")))
            return False
        self.crowd.acknowledged[answer.json()["id"]] = verdict
        self.crowd.keys.add(headers["Idempotency-Key"])
        return True


class Crowd:
    """Students who submit a number of things between them."""

    def __init__(self, server, wanted):
        self.server = server
        self.acknowledged = {}
        self.keys = set()
        self.refusals = []
        self.over = threading.Event()
        self.left = wanted
        self.lock = threading.Lock()
        self.students = [Student(self, number) for number in range(STUDENTS)]

    def take(self):
        with self.lock:
            self.left -= 1
            return self.left >= 0

    def goes_on(self):
        return any(student.is_alive() for student in self.students)

    def __enter__(self):
        for student in self.students:
            student.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        for student in self.students:
            student.join(120)


def kill_zygotes(server, chance, over, killed):
    """Kills a zygote now and then: more often than one can start again, nothing would ever be judged."""
    while not over.wait(chance.uniform(1, 4)):
        zygotes = server.zygotes() if server.up.is_set() else []
        if zygotes:
            with suppress(ProcessLookupError):
                os.kill(chance.choice(zygotes), signal.SIGKILL)
                killed.append(zygotes)


def check(server, crowd):
    """Every acknowledged submission ends once, with the right verdict."""
    with httpx.Client(base_url=server.url, timeout=90) as client:
        for submission, verdict in crowd.acknowledged.items():
            report = client.get(f"/submissions/{submission}", headers={"Prefer": "wait=60"}).json()
            assert (report["state"], report["verdict"]) == ("done", verdict), report
    assert len(crowd.acknowledged) == len(crowd.keys)
    assert {status for status, _ in crowd.refusals} <= {429, 503}
    assert all(retry for _, retry in crowd.refusals)
    judged = server.query("SELECT s.id, count(*), sum(j.current), min(j.state), max(j.state) FROM submissions s "
                          "JOIN judgings j ON j.submission = s.id GROUP BY s.id")  # fmt: skip
    assert {row[1:] for row in judged} == {(1, 1, "done", "done")}
    assert {row[0] for row in judged} >= set(crowd.acknowledged)
    assert len(judged) == len(crowd.keys)
    cases = server.query("SELECT count(*) FROM case_results GROUP BY judging")
    assert {row[0] for row in cases} == {19}
    assert server.query("PRAGMA integrity_check") == [("ok",)]


def chaos(server, submissions, kills):
    chance = random.Random(20260)  # noqa: S311 -- the same
    server.start()
    with Crowd(server, submissions) as crowd:
        over, killed = threading.Event(), []
        killer = threading.Thread(target=kill_zygotes, args=(server, chance, over, killed), daemon=True)
        killer.start()
        try:
            for number in range(1, kills + 1):
                # Spread over the whole: after each share of what is to be submitted.
                while crowd.goes_on() and len(crowd.acknowledged) < submissions * number / (kills + 1):
                    crowd.over.wait(0.02)
                server.kill()
                server.start()
        finally:
            for student in crowd.students:
                student.join(300)
            over.set()
            killer.join()
    again = sum(line["event"] == "judged again" for line in server.lines)
    print(  # noqa: T201 -- the figures of the test
        f"{len(crowd.acknowledged)} acknowledged, {kills} kills, {len(killed)} zygotes killed, "
        f"{len(crowd.refusals)} refusals, {again} judged again"
    )
    check(server, crowd)


@pytest.mark.timeout(300)
def test_a_server_killed_again_and_again_loses_nothing(server):
    chaos(server(), submissions=120, kills=3)


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_ten_kills_during_five_hundred_submissions_lose_nothing(server):
    chaos(server(), submissions=500, kills=10)
