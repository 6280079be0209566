"""The routes of the HTTP API. Trusted side; the only code that answers a submission.

Handlers read what they need from `request.state`, which the lifespan of `app.main` fills.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import FastAPI, Query, Request, Response

from app.admission import read_body
from app.answers import EVENT_STREAM, json_response, stream, stream_of_stored, text_response, with_source
from app.bank import Problems
from app.catalogue import Catalogue
from app.desk import Key
from app.hub import Finished
from app.identity import set_cookie
from app.judging import dump
from app.metrics import Metrics
from app.openapi import EVENTS, HEALTH, HISTORY, METRICS, PROBLEM, PROBLEMS, SUBMISSION, SUBMIT
from app.problem_json import Refusal, problem_response
from app.store import history
from app.store.clock import from_ms
from app.store.history import Found
from app.store.schema import SLUG_CHARACTERS
from app.submission import known_problem, read_submission
from app.views import Stamp, line_for_student, waiting_for_student
from app.waiting import DEFAULT_WAIT_S, idempotency_key, last_event_id, wait_s
from app.world import world_of

_ID = re.compile(r"[A-Za-z0-9_-]{22}")
_NO_NUL = r"^[^\x00]*$"
"""PostgreSQL's text cannot have one."""


def mount_api(app: FastAPI, bank: Problems, version: str) -> None:
    """Adds the routes. Each is documented in docs/api.md, which a test compares with this list."""
    _mount_submissions(app)
    catalogue = Catalogue(bank)

    @app.get("/api/problems", summary="List the problems", openapi_extra=PROBLEMS)
    def problems() -> Response:
        return json_response({"items": catalogue.summaries()})

    @app.get("/api/problems/{slug}", summary="All about one problem", openapi_extra=PROBLEM)
    def problem(slug: str) -> Response:
        return json_response(catalogue.problem(known_problem(slug, bank.problems())))

    @app.get("/health", summary="Whether this server can judge", openapi_extra=HEALTH)
    def health(request: Request) -> Response:
        world = world_of(request)
        judge = world.judge
        alive, wanted = judge.zygotes() if judge else (0, 0)
        layers = judge.layers() if judge else ()
        body: dict[str, Any] = {
            "version": version,
            "layers": [{"name": layer.name, "state": layer.state, "detail": layer.detail} for layer in layers],
            "zygotes": {"alive": alive, "wanted": wanted},
            "problems": {slug: problem.revision for slug, problem in sorted(bank.problems().items())},
            "trouble": bank.trouble(),
        }
        if world.workers is not None:
            body["workers"] = world.workers()
        if judge is not None and alive == 0:
            return problem_response(HTTPStatus.SERVICE_UNAVAILABLE, "No zygote is alive: nothing is judged.", **body)
        return json_response({"status": "ok", **body})

    @app.get("/metrics", summary="Figures for Prometheus", openapi_extra=METRICS)
    def metrics(request: Request) -> Response:
        found: Metrics = request.app.state.metrics
        return found.response()


def _mount_submissions(app: FastAPI) -> None:
    @app.post("/submit", summary="Judge a submission", openapi_extra=SUBMIT)
    async def submit(request: Request) -> Response:
        world = world_of(request)
        key = idempotency_key(request)
        body = await read_body(request)
        sender = await world.identity.sender(request)
        world.desk.admit(sender)
        submission = read_submission(body, await world.published.current())
        watched = _wants_events(request)
        known = Key(key, hashlib.sha256(body).digest())
        answer = await _answer(request, await world.desk.take(submission, sender, known, watched=watched))
        set_cookie(answer, sender)
        return answer

    @app.get("/submissions", summary="This browser's own submissions", openapi_extra=HISTORY)
    async def submissions(
        request: Request,
        problem: Annotated[str | None, Query(max_length=SLUG_CHARACTERS, pattern=_NO_NUL)] = None,
        before: Annotated[str | None, Query(pattern=f"^{_ID.pattern}$")] = None,
    ) -> Response:
        world = world_of(request)
        owner = world.identity.owner(request)
        if owner is None:
            return json_response({"items": [], "next": None})
        # In threads that wait for the store alone: while it is away, /health and pages keep theirs.
        page = await asyncio.to_thread(
            world.store.read, lambda connection: history.page(connection, owner, problem, before)
        )
        items = [line_for_student(line, begun=world.hub.is_begun(line.id)) for line in page.lines]
        return json_response({"items": items, "next": page.next})

    @app.get("/submissions/{id}", summary="One submission", openapi_extra=SUBMISSION)
    async def submission(id: str, request: Request) -> Response:  # noqa: A002 -- the name in the path
        world = world_of(request)
        _checked(id)
        if (longest := wait_s(request, 0.0)) > 0 and (topic := await world.topic(id)) is not None:
            await topic.wait(longest)
        found = await world.found(id)
        text = found.report if found.report is not None else _waiting(found, begun=world.hub.is_begun(id))
        owner = world.identity.owner(request)
        return text_response(with_source(text, found.source) if found.owner == owner else text)

    @app.get("/submissions/{id}/events", summary="One submission as it is judged", openapi_extra=EVENTS)
    async def submission_events(id: str, request: Request) -> Response:  # noqa: A002 -- the same
        return await _events(request, _checked(id), last_event_id(request))


def _wants_events(request: Request) -> bool:
    return EVENT_STREAM in request.headers.get("accept", "").lower()


def _checked(submission: str) -> str:
    if not _ID.fullmatch(submission):
        raise Refusal(HTTPStatus.NOT_FOUND, "There is no such submission; an id has 22 characters.")
    return submission


async def _answer(request: Request, submission: str) -> Response:
    """The report of a submission that is durable: as a stream, at once, or a place where it will be."""
    if _wants_events(request):
        return await _events(request, submission, 0)
    world = world_of(request)
    if (topic := await world.topic(submission)) is not None:
        end = await topic.wait(wait_s(request, DEFAULT_WAIT_S))
        if isinstance(end, Finished):
            return text_response(end.json)
    found = await world.found(submission)
    if found.report is not None:
        return text_response(found.report)
    text = _waiting(found, begun=world.hub.is_begun(submission))
    return text_response(text, HTTPStatus.ACCEPTED, f"/submissions/{submission}")


async def _events(request: Request, submission: str, after: int) -> Response:
    world = world_of(request)
    if (topic := await world.topic(submission)) is not None:
        return stream(topic, after)
    found = await world.found(submission)
    if found.report is not None:
        return stream_of_stored(found.report, after)
    if (topic := world.hub.get(submission)) is not None:
        return stream(topic, after)
    raise Refusal(
        HTTPStatus.SERVICE_UNAVAILABLE,
        "This submission waits for another process to judge it; try again in a few seconds.",
        headers={"Retry-After": "2"},
    )


def _waiting(found: Found, *, begun: bool) -> str:
    state = "judging" if begun else found.state
    stamp = Stamp(found.id, from_ms(found.submitted_at_ms), None)
    return dump(waiting_for_student(stamp, found.problem, found.revision, found.mode, state))
