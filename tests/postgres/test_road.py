"""A submission's trip through many machines: accepted here, judged there, answered here."""

import json
import threading
import time

import httpx
import pytest

from tests.acceptance.sources import ACCEPTED

SLUG = "scaled-dot-product-attention"


@pytest.fixture
def send():
    def send(server, source=ACCEPTED, **headers):
        return httpx.post(f"{server.url}submit", json={"problem": SLUG, "source": source}, headers=headers, timeout=60)

    return send


def test_what_one_server_accepts_a_worker_judges_and_every_server_tells(replica, worker, send, database):
    first, second = replica().start(), replica().start()
    kept = send(first, Prefer="wait=0")
    assert (kept.status_code, kept.json()["state"]) == (202, "queued")
    judged_by = worker().start()
    submission = kept.headers["location"]
    for server in (first, second):
        report = httpx.get(f"{server.url[:-1]}{submission}", headers={"Prefer": "wait=60"}, timeout=90).json()
        assert report["verdict"] == "accepted"
    answer = send(second)
    assert (answer.status_code, answer.json()["verdict"]) == (200, "accepted")
    assert len(judged_by.events("judged")) == 2
    assert database.query("SELECT count(*) FROM procrastinate_jobs WHERE status IN ('todo', 'doing')") == [(0,)]


def test_a_stream_has_every_case_and_then_the_report(replica, worker, send):
    server = replica().start()
    worker().start()
    answer = send(server, Accept="text/event-stream")
    events = [event.split("\n") for event in answer.text.strip().split("\n\n") if not event.startswith(":")]
    kinds = [event[0].removeprefix("event: ") for event in events]
    report = json.loads(next(line for line in events[-1] if line.startswith("data: ")).removeprefix("data: "))
    assert kinds == ["case"] * len(report["cases"]) + ["report"]
    assert report["verdict"] == "accepted"


def test_a_server_says_how_many_workers_are_alive_and_is_well_without_one(replica, worker):
    server = replica().start()
    health = httpx.get(f"{server.url}health")
    assert (health.status_code, health.json()["workers"], health.json()["layers"]) == (200, 0, [])
    worker().start()
    seen = [0]
    end = time.monotonic() + 30
    while seen[-1] == 0 and time.monotonic() < end:
        seen.append(httpx.get(f"{server.url}health").json()["workers"])
    assert seen[-1] == 1
    assert "tensorgrade_workers 1.0" in httpx.get(f"{server.url}metrics").text


def test_a_server_that_stops_says_where_the_report_will_be(replica, worker, database):
    server, other = replica().start(), replica().start()
    waiting = []
    request = threading.Thread(
        target=lambda: waiting.append(httpx.post(f"{server.url}submit", json={"source": ACCEPTED}, timeout=60))
    )
    request.start()
    while not database.query("SELECT 1 FROM submissions"):
        pass
    server.stop()
    request.join(30)
    assert waiting[0].status_code == 202
    worker().start()
    address = f"{other.url[:-1]}{waiting[0].headers['location']}"
    assert httpx.get(address, headers={"Prefer": "wait=60"}, timeout=90).json()["verdict"] == "accepted"
