import asyncio
from concurrent.futures import Future

import pytest
from fastapi import Request

from app import admission, dispatch
from app.admission import Places, read_body
from app.problem_json import Refusal, refusal_of
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


def test_when_every_place_is_taken_the_next_is_told_when_to_come_again():
    places = Places(2)
    places.take()
    places.take()
    with pytest.raises(Refusal) as refusal:
        places.take()
    assert refusal.value.status == 503
    assert int(refusal.value.headers["Retry-After"]) > 0
    places.give_back()
    places.take()


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


def test_a_silent_stream_says_now_and_then_that_it_lives(monkeypatch):
    monkeypatch.setattr(dispatch, "KEEP_ALIVE_S", 0.001)

    async def follow():
        happened, started = asyncio.Queue(), Future()
        events = dispatch._follow(happened, started)
        assert await anext(events) is None
        happened.put_nowait("a case")
        while (event := await anext(events)) is None:
            pass
        assert event == "a case"
        started.set_result("the report")
        happened.put_nowait(None)
        while (event := await anext(events)) is None:
            pass
        return event

    assert asyncio.run(follow()) == "the report"


def test_who_leaves_before_its_turn_gives_its_place_to_somebody_else():
    async def leave():
        started = Future()
        events = dispatch._follow(asyncio.Queue(), started)
        waiting = asyncio.ensure_future(anext(events))
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        return started

    assert asyncio.run(leave()).cancelled()
