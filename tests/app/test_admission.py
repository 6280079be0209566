import asyncio

import pytest
from fastapi import Request

from app import admission
from app.admission import MAX_CLIENTS, Rates, read_body
from app.problem_json import Refusal, refusal_of
from app.settings import Rate
from judge.errors import JailUnavailable, JudgeError, QueueFull
from problems.errors import PackageError


def request(receive, **headers):
    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return Request({"type": "http", "method": "POST", "path": "/submit", "headers": raw}, receive)


def test_a_body_that_does_not_come_is_408(monkeypatch):
    monkeypatch.setattr(admission, "BODY_TIMEOUT_S", 0.01)

    async def never():
        await asyncio.Event().wait()

    with pytest.raises(Refusal) as refusal:
        asyncio.run(read_body(request(never, content_type="application/json")))
    assert refusal.value.status == 408


def test_a_body_that_says_it_is_too_large_is_not_kept():
    sent = 0

    async def chunks():
        nonlocal sent
        sent += 1
        return {"type": "http.request", "body": b" " * (1 << 20), "more_body": True}

    with pytest.raises(Refusal) as refusal:
        asyncio.run(read_body(request(chunks, content_type="application/json", content_length="1000000000")))
    assert refusal.value.status == 413
    assert sent <= 1 + (admission.DRAIN_BYTES >> 20)


def test_a_client_may_spend_its_rate_at_once_and_then_waits_for_each_next():
    now = 0.0
    rates = Rates(Rate(30, 60), clock=lambda: now)
    assert [rates.wait_s("me") for _ in range(30)] == [0] * 30
    assert rates.wait_s("me") == pytest.approx(2.0)
    assert rates.wait_s("somebody else") == 0
    now = 2.0
    assert rates.wait_s("me") == 0
    assert rates.wait_s("me") > 0
    now = 1000.0
    assert [rates.wait_s("me") for _ in range(30)] == [0] * 30


def test_an_address_may_stand_for_a_lecture_hall():
    rates = Rates(Rate(2, 60), clock=lambda: 0.0)
    assert [rates.wait_s("address:10.0.0.1", 20) for _ in range(40)] == [0] * 40
    assert rates.wait_s("address:10.0.0.1", 20) > 0


def test_clients_without_end_do_not_fill_the_memory():
    rates = Rates(Rate(1, 60), clock=lambda: 0.0)
    for number in range(MAX_CLIENTS + 100):
        rates.wait_s(str(number))
    assert len(rates._buckets) == MAX_CLIENTS


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (QueueFull("all busy"), "The judge is busy"),
        (JudgeError("zygote 3 died"), "The judge failed, not you"),
        (JailUnavailable("seccomp: missing"), "The judge failed, not you"),
        (PackageError("problem.en.md, line 3: no such command"), "line 3"),
    ],
)
def test_what_is_ours_to_repair_is_503_with_retry_after(error, words):
    refusal = refusal_of(error)
    assert refusal.status == 503
    assert "Retry-After" in refusal.headers
    assert words in refusal.sentence
