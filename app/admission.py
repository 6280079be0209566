"""Who may come in: kind and size of a body while it is read, and how many submissions are in flight. Trusted side."""

from __future__ import annotations

import asyncio
import threading
from http import HTTPStatus

from fastapi import Request
from starlette.requests import ClientDisconnect

from app.problem_json import Refusal, too_busy

MAX_BODY_BYTES = 1 << 20
BODY_TIMEOUT_S = 30.0
"""A megabyte in half a minute is a slow telephone line; slower than that is a slow-body attack."""
DRAIN_BYTES = 16 << 20
"""Read and thrown away after a body is refused as too large: who is still sending does not read the answer, and closing
on unread bytes resets the connection before the answer arrives."""
DRAIN_TIMEOUT_S = 2.0


async def read_body(request: Request) -> bytes:
    """The JSON body; Refusal for another kind (415), too many bytes (413), too slow a sender (408)."""
    _check_kind(request)
    if int(request.headers.get("content-length", "0")) > MAX_BODY_BYTES:
        raise await _too_large(request)
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_TIMEOUT_S):
            async for chunk in request.stream():
                body += chunk
                if len(body) > MAX_BODY_BYTES:
                    raise await _too_large(request)
    except TimeoutError:
        sentence = f"The body did not arrive within {BODY_TIMEOUT_S:.0f} s."
        raise Refusal(HTTPStatus.REQUEST_TIMEOUT, sentence, headers={"Connection": "close"}) from None
    except ClientDisconnect:
        raise Refusal(HTTPStatus.BAD_REQUEST, "The body ended before its length.") from None
    return bytes(body)


def _check_kind(request: Request) -> None:
    """Only application/json: a form of a foreign page can send text/plain, but not that, without being asked first."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json" and not kind.endswith("+json"):
        raise Refusal(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "Send JSON, with Content-Type: application/json.")
    if request.headers.get("content-encoding", "identity").lower() != "identity":
        raise Refusal(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "Send the body as it is, without Content-Encoding.")


async def _too_large(request: Request) -> Refusal:
    drained = 0
    try:
        async with asyncio.timeout(DRAIN_TIMEOUT_S):
            async for chunk in request.stream():
                drained += len(chunk)
                if drained > DRAIN_BYTES:
                    break
    except (TimeoutError, ClientDisconnect):
        pass
    sentence = f"The body is larger than {MAX_BODY_BYTES >> 20} MiB."
    return Refusal(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, sentence, headers={"Connection": "close"})


class Places:
    """How many submissions this process holds at once, waiting or judged. Thread-safe."""

    def __init__(self, places: int) -> None:
        self._free = threading.BoundedSemaphore(places)

    def take(self) -> None:
        """Takes a place; Refusal 503 with Retry-After when there is none."""
        if not self._free.acquire(blocking=False):
            raise too_busy("Too many submissions are waiting; try again in a few seconds.")

    def give_back(self) -> None:
        self._free.release()
