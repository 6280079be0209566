"""After a failed secret case: a fresh small case like it. Against a service that knows `like` and nothing else."""

import json
from types import SimpleNamespace

import pytest
from fastapi import FastAPI, Request
from fastapi.responses import StreamingResponse
from fastapi.sse import format_sse_event
from playwright.sync_api import expect

from app.pages import mount_pages
from app.settings import Settings
from problems.shipped import shipped_bank
from problems.watching import Bank
from tests.browser.server import SLUG, in_thread
from tests.browser.student import UNSCALED
from tests.browser.test_accessibility import violations

SECRET = {
    "case": "secret/04-batched",
    "group": "secret",
    "title": "Batched, d_v \u2260 d_k",
    "verdict": "wrong_answer",
    "reason": "values_differ",
    "message": "The values differ from the answer.",
    "time_ms": 0.2,
}


def tensor(value):
    return {"shape": [1, 2], "dtype": "float32", "values": [[value, 2.0]]}


FRESH = {
    **SECRET,
    "case": "own/1",
    "group": "own",
    "title": "Like it",
    "verdict": None,
    "reason": None,
    "message": "",
    "inputs": {name: tensor(1.0) for name in "QKV"},
    "expected": tensor(1.0),
    "got": tensor(1.5),
    "max_abs_error": 0.5,
}


@pytest.fixture(scope="module")
def asked():
    return []


@pytest.fixture(scope="module")
def address(asked):
    app = FastAPI()

    @app.post("/submit")
    async def submit(request: Request):
        body = await request.json()
        asked.append(body)
        case = FRESH if "like" in body else SECRET
        report = {
            "mode": body["mode"],
            "verdict": case["verdict"],
            "passed": 0,
            "total": 1,
            "cases": [case],
            "errors": [],
            "diagnosis": None,
            "notes": [],
        }
        happened = [("case", case), ("report", report)]
        events = (format_sse_event(event=name, data_str=json.dumps(data)) for name, data in happened)
        return StreamingResponse(events, media_type="text/event-stream")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("app.pages.SubmitBody", SimpleNamespace(model_fields={"like": None}))
        mount_pages(app, Bank(shipped_bank()), Settings())
        with in_thread(app) as address:
            yield address


def test_a_fresh_case_like_a_secret_one_is_shown_with_all_its_values(student, asked):
    student.write(UNSCALED)
    student.submit()
    row = student.case("secret/04")
    row.get_by_role("button", name="Try a small case like it").click()
    expect(row.locator("td.off")).to_have_text(["1.5000"])
    expect(row.get_by_role("img")).to_have_accessible_name(
        "1 of 2 elements outside the tolerance; the largest difference is 5.00e-1 at [0, 0]."
    )
    row.get_by_role("button", name="Try another one").click()
    expect(row.locator("td.off")).to_have_text(["1.5000"])
    assert asked[-1] == {"problem": SLUG, "source": UNSCALED, "mode": "run", "like": "secret/04-batched"}
    assert violations(student.page) == []
