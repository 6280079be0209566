"""Who may come in: kind and size of a body while it is read, and how often. Trusted side."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable
from http import HTTPStatus

from fastapi import Request
from starlette.requests import ClientDisconnect

from app.problem_json import Refusal
from app.settings import Rate

MAX_BODY_BYTES = 1 << 20
BODY_TIMEOUT_S = 30.0
"""A megabyte in half a minute is a slow telephone line; slower than that is a slow-body attack."""
DRAIN_BYTES = 16 << 20
"""Read and thrown away after a body is refused as too large: who is still sending does not read the answer, and closing
on unread bytes resets the connection before the answer arrives."""
DRAIN_TIMEOUT_S = 2.0
MAX_CLIENTS = 20_000
"""Remembered at once, 200 bytes each; the one that came least lately is forgotten first."""


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


class Rates:
    """How often each client may submit: a bucket of tokens that fills again steadily. For one thread."""

    def __init__(self, rate: Rate, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.rate = rate
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait_s(self, client: str, share: int = 1) -> float:
        """0 and one token less; else the seconds until there is one. `share`: for how many the client stands."""
        now = self._clock()
        most, a_second = self.rate.count * share, self.rate.count * share / self.rate.per_s
        tokens, at = self._buckets.pop(client, (float(most), now))
        tokens = min(float(most), tokens + (now - at) * a_second)
        granted = tokens >= 1
        self._buckets[client] = tokens - granted, now
        if len(self._buckets) > MAX_CLIENTS:
            self._buckets.popitem(last=False)
        return 0.0 if granted else (1 - tokens) / a_second
