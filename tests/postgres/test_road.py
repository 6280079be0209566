"""A submission's trip through many machines: accepted here, judged there, answered here."""

import json

import httpx
import pytest

SLUG = "scaled-dot-product-attention"
ACCEPTED = """
import torch
def scaled_dot_product_attention(Q, K, V):
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
"""


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
