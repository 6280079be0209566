"""The routes of the HTTP API. Trusted side; the only code that answers a submission.

Handlers read what they need from `request.state`, which the lifespan of `app.main` fills: Dispatch, Judge, Bank.
Reports are serialised here once, from what `app.views` lets out; no response model passes over them again.
"""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from contextlib import aclosing
from http import HTTPStatus
from typing import Any

import structlog
from fastapi import FastAPI, Request, Response
from fastapi.responses import StreamingResponse
from fastapi.sse import format_sse_event

from app.admission import read_body
from app.catalogue import Catalogue
from app.dispatch import Dispatch, Events, Judged
from app.openapi import HEALTH, PROBLEM, PROBLEMS, SUBMIT
from app.problem_json import problem_body, problem_response, refusal_of
from app.submission import Submission, known_problem, read_submission
from app.views import Revealed, Stamp, case_for_student, for_student
from judge.errors import JudgeError
from judge.grade import Judge
from judge.report import CaseResult
from problems.errors import PackageError
from problems.watching import Bank

EVENT_STREAM = "text/event-stream"
_HEADERS = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}

log = structlog.get_logger()


def mount_api(app: FastAPI, bank: Bank, version: str) -> None:
    """Adds the routes. Each is documented in docs/api.md, which a test compares with this list."""
    catalogue = Catalogue(bank)

    @app.post("/submit", summary="Judge a submission", openapi_extra=SUBMIT)
    async def submit(request: Request) -> Response:
        submission = read_submission(await read_body(request), bank)
        dispatch: Dispatch = request.state.dispatch
        if _wants_events(request):
            return StreamingResponse(_events(submission, dispatch), media_type=EVENT_STREAM, headers=_stream_headers())
        judged = await dispatch.judged(submission)
        return _json(_report(submission, judged))

    @app.get("/api/problems", summary="List the problems", openapi_extra=PROBLEMS)
    def problems() -> Response:
        return _json({"items": catalogue.summaries()})

    @app.get("/api/problems/{slug}", summary="All about one problem", openapi_extra=PROBLEM)
    def problem(slug: str) -> Response:
        return _json(catalogue.problem(known_problem(slug, bank.problems())))

    @app.get("/health", summary="Whether this server can judge", openapi_extra=HEALTH)
    def health(request: Request) -> Response:
        judge: Judge = request.state.judge
        alive, wanted = judge.zygotes()
        body: dict[str, Any] = {
            "version": version,
            "layers": [{"name": layer.name, "state": layer.state, "detail": layer.detail} for layer in judge.layers()],
            "zygotes": {"alive": alive, "wanted": wanted},
            "problems": {slug: problem.revision for slug, problem in sorted(bank.problems().items())},
            "trouble": bank.trouble(),
        }
        if alive == 0:
            return problem_response(HTTPStatus.SERVICE_UNAVAILABLE, "No zygote is alive: nothing is judged.", **body)
        return _json({"status": "ok", **body})


def _json(body: dict[str, Any]) -> Response:
    return Response(_dump(body), media_type="application/json", headers=_HEADERS)


def _dump(body: dict[str, Any]) -> str:
    # allow_nan=False: views writes NaN as text, and a bare NaN would break every client.
    return json.dumps(body, allow_nan=False, ensure_ascii=False, separators=(",", ":"))


def _wants_events(request: Request) -> bool:
    return EVENT_STREAM in request.headers.get("accept", "").lower()


def _stream_headers() -> dict[str, str]:
    return {**_HEADERS, "X-Accel-Buffering": "no"}  # or nginx hands out all cases at once, at the end


def _report(submission: Submission, judged: Judged) -> dict[str, Any]:
    stamp = Stamp(submission.id, submission.submitted_at, judged.judged_at)
    return for_student(judged.report, Revealed.of(submission.problem, submission.own), stamp)


def _events(submission: Submission, dispatch: Dispatch) -> AsyncGenerator[bytes]:
    """Begins to judge before the first byte is asked for: a refusal is still an answer with its own status."""
    return _event_lines(submission, dispatch.events(submission))


async def _event_lines(submission: Submission, happened: Events) -> AsyncGenerator[bytes]:
    revealed = Revealed.of(submission.problem, submission.own)
    try:
        async with aclosing(happened):
            async for event in happened:
                match event:
                    case None:
                        yield format_sse_event(comment="still judging")
                    case CaseResult():
                        yield _event("case", case_for_student(event, revealed))
                    case Judged():
                        yield _event("report", _report(submission, event))
    except (JudgeError, PackageError) as error:
        # The status line is gone already, so the refusal travels as an event.
        log.exception("request failed", submission=submission.id)
        refusal = refusal_of(error)
        yield _event("error", problem_body(refusal.status, refusal.sentence))


def _event(name: str, body: dict[str, Any]) -> bytes:
    return format_sse_event(event=name, data_str=_dump(body))
