"""What is answered about a submission: a report, word that there is none yet, or a stream of cases. Trusted side.

Reports come as the text that is stored; nothing here serialises one again.
"""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from contextlib import aclosing
from http import HTTPStatus
from typing import Any

from fastapi import Response
from fastapi.responses import StreamingResponse
from fastapi.sse import format_sse_event

from app.hub import Finished, Postponed, Told, Topic
from app.judging import dump

EVENT_STREAM = "text/event-stream"
_HEADERS = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
# X-Accel-Buffering, or nginx hands out all cases at once, at the end.
_STREAM_HEADERS = {**_HEADERS, "X-Accel-Buffering": "no"}


def json_response(body: dict[str, Any]) -> Response:
    """200 with this body."""
    return text_response(dump(body))


def text_response(text: str, status: HTTPStatus = HTTPStatus.OK, location: str | None = None) -> Response:
    """An answer that is JSON text already."""
    headers = _HEADERS if location is None else {**_HEADERS, "Location": location}
    return Response(text, status.value, headers, "application/json")


def with_source(report: str, source: bytes) -> str:
    """A report with the source that it is about."""
    return f'{report[:-1]},"source":{json.dumps(source.decode(), ensure_ascii=False)}}}'


def stream(topic: Topic, after: int) -> Response:
    """The cases after the first `after` ones as they finish, then the report."""
    return StreamingResponse(_followed(topic, after), media_type=EVENT_STREAM, headers=_STREAM_HEADERS)


def stream_of_stored(report: str, after: int) -> Response:
    """The same of a report that is there. 204 for who has all of it: an EventSource then stops coming back."""
    told = told_in(report)
    if after > len(told):
        return Response(status_code=HTTPStatus.NO_CONTENT.value, headers=_STREAM_HEADERS)
    lines = [_case(number, each) for number, each in enumerate(told, 1) if number > after]
    lines.append(_report(report, len(told)))
    return Response(b"".join(lines), HTTPStatus.OK.value, _STREAM_HEADERS, EVENT_STREAM)


def told_in(report: str) -> list[Told]:
    """The cases of a report in the order in which they are judged: shown ones first.

    None of a report that this release did not write: it is then told as a whole.
    """
    try:
        cases = sorted(json.loads(report)["cases"], key=lambda case: "inputs" not in case)
        return [Told(case["case"], dump(case)) for case in cases]
    except (ValueError, KeyError, TypeError, RecursionError):
        return []


async def _followed(topic: Topic, after: int) -> AsyncGenerator[bytes]:
    sent = after
    async with aclosing(topic.follow(after)) as happened:
        async for event in happened:
            match event:
                case None:
                    yield format_sse_event(comment="still judging")
                case Told():
                    sent += 1
                    yield _case(sent, event)
                case Finished():
                    had = max(0, after - len(topic.told))  # what the client heard from another server
                    for late in _untold(topic, event)[had:]:
                        sent += 1
                        yield _case(sent, late)
                    yield _report(event.json, event.total)
                case Postponed():
                    yield format_sse_event(comment="judged after a restart: come back with Last-Event-ID")


def _untold(topic: Topic, finished: Finished) -> list[Told]:
    """Cases of the report that were not told one by one: nobody watched from the start, or loading failed."""
    if len(topic.told) >= finished.total:
        return []
    before = {each.case for each in topic.told}
    return [each for each in told_in(finished.json) if each.case not in before]


def _case(number: int, told: Told) -> bytes:
    return format_sse_event(event="case", data_str=told.json, id=str(number))


def _report(text: str, total: int) -> bytes:
    return format_sse_event(event="report", data_str=text, id=str(total + 1))
