"""What /openapi.json says about bodies and answers, where the code has no model to read it from. Trusted side."""

from __future__ import annotations

from typing import Any

from app.problem_json import MEDIA_TYPE
from app.submission import SubmitBody

_PROBLEM_JSON: dict[str, Any] = {
    "type": "object",
    "required": ["type", "title", "status", "detail"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "A sentence that a person can act on."},
    },
}
_TENSOR: dict[str, Any] = {
    "type": ["object", "null"],
    "properties": {
        "shape": {"type": "array", "items": {"type": "integer"}},
        "dtype": {"type": "string"},
        "values": {"description": 'Nested lists; "NaN", "Infinity" and "-Infinity" as strings; null when truncated.'},
        "truncated": {"type": "boolean"},
    },
}
_CASE: dict[str, Any] = {
    "type": "object",
    "required": ["case", "group", "title", "verdict", "reason", "message", "line", "error_type", "time_ms"],
    "properties": {
        "case": {"type": "string"},
        "group": {"enum": ["sample", "secret", "own"]},
        "title": {"type": "string"},
        "verdict": {"type": ["string", "null"]},
        "reason": {"type": ["string", "null"]},
        "message": {"type": "string"},
        "line": {"type": ["integer", "null"]},
        "error_type": {"type": ["string", "null"]},
        "time_ms": {"type": "number"},
        "inputs": {"type": "object", "additionalProperties": _TENSOR, "description": "Shown cases only."},
        "expected": _TENSOR,
        "got": _TENSOR,
        "max_abs_error": {"type": ["number", "string", "null"]},
        "stdout": {"type": "string"},
    },
}
_REPORT: dict[str, Any] = {
    "type": "object",
    "required": ["id", "problem", "revision", "mode", "state", "verdict", "passed", "total", "cases", "errors"],
    "properties": {
        "id": {"type": "string", "pattern": "^[A-Za-z0-9_-]{22}$"},
        "problem": {"type": "string"},
        "revision": {"type": "string"},
        "mode": {"enum": ["submit", "run"]},
        "state": {"enum": ["queued", "judging", "done"]},
        "verdict": {"type": ["string", "null"]},
        "reason": {"type": ["string", "null"]},
        "passed": {"type": "integer"},
        "total": {"type": "integer"},
        "cases": {"type": "array", "items": _CASE},
        "errors": {"type": "array", "items": {"type": "object"}},
        "diagnosis": {"type": ["object", "null"]},
        "notes": {"type": "array", "items": {"type": "string"}},
        "remarks": {"type": "array", "items": {"type": "string"}},
        "layers": {"type": "array", "items": {"type": "string"}},
        "submitted_at": {"type": "string", "format": "date-time"},
        "judged_at": {"type": ["string", "null"], "format": "date-time"},
    },
}


def _answers(description: str, schema: dict[str, Any], **more: Any) -> dict[str, Any]:  # noqa: ANN401 -- JSON
    content = {"application/json": {"schema": schema}, **more}
    return {"responses": {"200": {"description": description, "content": content}}}


def _refusal(description: str) -> dict[str, Any]:
    return {"description": description, "content": {MEDIA_TYPE: {"schema": _PROBLEM_JSON}}}


def _object(*names: str) -> dict[str, Any]:
    return {"type": "object", "required": list(names)}


PROBLEMS = _answers("The problems by slug.", _object("items"))
PROBLEM = _answers("The problem.", _object("slug", "revision", "title", "statement", "starter", "entry_point"))
PROBLEM["responses"]["404"] = _refusal("There is no such problem.")
PROBLEM["responses"]["503"] = _refusal("The package needs its author.")
HEALTH = _answers("It can.", _object("status", "version", "layers", "zygotes", "problems", "trouble"))
HEALTH["responses"]["503"] = _refusal("It cannot: no zygote is alive.")
SUBMIT = {
    "requestBody": {
        "required": True,
        "content": {"application/json": {"schema": SubmitBody.model_json_schema()}},
    },
    **_answers(
        "The report; as events (case, case, ..., report) with Accept: text/event-stream.",
        _REPORT,
        **{"text/event-stream": {"schema": {"type": "string"}}},
    ),
}
SUBMIT["responses"] |= {
    "202": {
        "description": "It is kept and not judged yet; it will be at Location.",
        "headers": {"Location": {"schema": {"type": "string"}}},
        "content": {"application/json": {"schema": _REPORT}},
    },
    "400": _refusal("The body ended before its length."),
    "404": _refusal("There is no such problem."),
    "408": _refusal("The body came too slowly."),
    "413": _refusal("The body or the source is too large."),
    "415": _refusal("The body is not application/json."),
    "422": _refusal("The body is not what this route takes."),
    "429": _refusal("Too often, or too many of yours are waiting; see Retry-After."),
    "503": _refusal("Too many are waiting, or the store cannot write; see Retry-After."),
}
_NO_SUBMISSION = _refusal("There is no such submission.")
_NO_STORE = _refusal("The store cannot be read just now; see Retry-After.")
SUBMISSION = _answers(
    "The report, or the same members without a verdict while there is none; `source` only for who sent it.",
    {**_REPORT, "properties": {**_REPORT["properties"], "source": {"type": "string"}}},
)
SUBMISSION["responses"] |= {"404": _NO_SUBMISSION, "503": _NO_STORE}
EVENTS: dict[str, Any] = {
    "responses": {
        "200": {
            "description": "The cases after Last-Event-ID as they finish, then the report.",
            "content": {"text/event-stream": {"schema": {"type": "string"}}},
        },
        "204": {"description": "Last-Event-ID was the report's: there is nothing more."},
        "404": _NO_SUBMISSION,
        "503": _NO_STORE,
    }
}
HISTORY = _answers("Newest first.", _object("items", "next"))
HISTORY["responses"] |= {"422": _refusal("A parameter is not valid."), "503": _NO_STORE}
METRICS: dict[str, Any] = {
    "responses": {"200": {"description": "The text format.", "content": {"text/plain": {"schema": {"type": "string"}}}}}
}
