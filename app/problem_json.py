"""Errors as RFC 9457 `application/problem+json`: a sentence that a person can act on. Trusted side.

    Refusal                 this request is refused, by status and sentence
    (anything else)         ours: 500, logged with its traceback, nothing of it in the answer

No answer repeats what was sent: an echo of NaN or of a lone surrogate cannot even be written as JSON.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from http import HTTPStatus

import structlog
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from app.store.errors import StoreUnavailable
from judge.errors import JudgeError, QueueFull
from problems.errors import PackageError

MEDIA_TYPE = "application/problem+json"
RETRY_AFTER_S = 5
"""What a client that was turned away for load waits: about the time in which a full queue drains."""

log = structlog.get_logger()


class Refusal(Exception):
    """A request that cannot be served as it is. The message is the sentence that the client reads."""

    def __init__(self, status: HTTPStatus, sentence: str, *, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence
        self.headers = dict(headers or {})


def too_busy(sentence: str) -> Refusal:
    """503 with Retry-After."""
    return Refusal(HTTPStatus.SERVICE_UNAVAILABLE, sentence, headers={"Retry-After": str(RETRY_AFTER_S)})


def problem_body(status: HTTPStatus, sentence: str, **more: object) -> dict[str, object]:
    """The members of RFC 9457; `type` is about:blank, so `title` is the status' own phrase."""
    return {"type": "about:blank", "title": status.phrase, "status": status.value, "detail": sentence, **more}


def problem_response(
    status: HTTPStatus, sentence: str, *, headers: Mapping[str, str] | None = None, **more: object
) -> Response:
    """An answer in the one form that errors have."""
    body = json.dumps(problem_body(status, sentence, **more), allow_nan=False)
    return Response(body, status.value, {"Cache-Control": "no-store", **(headers or {})}, MEDIA_TYPE)


def refusal_of(error: JudgeError | PackageError) -> Refusal:
    """What a client hears when the judge or a package cannot serve it. Nothing counts against the student."""
    match error:
        case QueueFull():
            return too_busy("The judge is busy; try again in a few seconds.")
        case JudgeError():
            return too_busy("The judge failed, not you; try again in a few seconds.")
        case _:
            return too_busy(f"This problem's package needs its author: {error}")


def mount_errors(app: FastAPI) -> None:
    """Makes every error of this app problem+json."""

    @app.exception_handler(Refusal)
    async def refused(request: Request, error: Refusal) -> Response:
        request.app.state.metrics.refused(error.status)
        return problem_response(error.status, error.sentence, headers=error.headers)

    @app.exception_handler(JudgeError)
    @app.exception_handler(PackageError)
    async def unavailable(request: Request, error: JudgeError | PackageError) -> Response:
        log.error("request failed", exc_info=error)
        return await refused(request, refusal_of(error))

    @app.exception_handler(StoreUnavailable)
    async def not_kept(request: Request, error: StoreUnavailable) -> Response:
        log.error("request failed", exc_info=error)
        return await refused(
            request, too_busy("The server cannot use its store just now; nothing was kept. Try again.")
        )

    @app.exception_handler(HTTPException)
    async def by_status(request: Request, error: HTTPException) -> Response:
        return problem_response(HTTPStatus(error.status_code), _words(request, error), headers=error.headers)

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> Response:
        places = sorted({str(part["loc"][-1]) for part in error.errors() if part["loc"]})
        return problem_response(HTTPStatus.UNPROCESSABLE_ENTITY, f"Not valid: {', '.join(places)}.")

    @app.exception_handler(Exception)
    async def ours(_: Request, error: Exception) -> Response:
        log.error("request failed", exc_info=error)
        return problem_response(HTTPStatus.INTERNAL_SERVER_ERROR, "The server failed, not you; this was logged.")


def _words(request: Request, error: HTTPException) -> str:
    match error.status_code:
        case HTTPStatus.NOT_FOUND:
            return "There is nothing at this address; GET /api/problems lists the problems."
        case HTTPStatus.METHOD_NOT_ALLOWED:
            allowed = (error.headers or {}).get("Allow", "another method")
            return f"This address does not take {request.method[:20]}; it takes {allowed}."
        case _:
            return str(error.detail)
