"""Three headers: how long a client waits, from where it resumes, under which key it retries. Trusted side."""

from __future__ import annotations

import re
from http import HTTPStatus

from fastapi import Request

from app.problem_json import Refusal

DEFAULT_WAIT_S = 30.0
LONGEST_WAIT_S = 60.0
"""Proxies close connections that are silent for longer."""
_WAIT = re.compile(r"(?:^|[,;])\s*wait\s*=\s*\"?([0-9]{1,9})\"?\s*(?:$|[,;])", re.IGNORECASE)
_KEY = re.compile(r"[!-~]{1,128}")
_NUMBER = re.compile(r"[0-9]{1,9}")


def wait_s(request: Request, default: float) -> float:
    """N of "Prefer: wait=N" (RFC 7240), at most LONGEST_WAIT_S."""
    found = _WAIT.search(", ".join(request.headers.getlist("prefer")))
    return default if found is None else min(float(found[1]), LONGEST_WAIT_S)


def idempotency_key(request: Request) -> str | None:
    """The Idempotency-Key; Refusal 422 for one that is no key."""
    key = request.headers.get("idempotency-key")
    if key is not None and not _KEY.fullmatch(key):
        sentence = "The Idempotency-Key must have 1 to 128 visible ASCII characters, no spaces."
        raise Refusal(HTTPStatus.UNPROCESSABLE_ENTITY, sentence)
    return key


def last_event_id(request: Request) -> int:
    """How many events of the stream the client has; 0 when it says nothing that is a number."""
    text = request.headers.get("last-event-id", "")
    return int(text) if _NUMBER.fullmatch(text) else 0
