"""The Submissions tab, against a service that answers for history and nothing else."""

from datetime import UTC, datetime, timedelta

import pytest
from fastapi import FastAPI
from playwright.sync_api import expect

from app.pages import mount_pages
from app.settings import Settings
from problems.shipped import shipped_bank
from problems.watching import Bank
from tests.browser.server import SLUG, in_thread
from tests.browser.student import RIGHT, UNSCALED, Student
from tests.browser.test_accessibility import violations

REVISION = "0" * 64
CASE = {
    "case": "sample/01-worked-example",
    "group": "sample",
    "title": "Worked example",
    "verdict": "wrong_answer",
    "reason": "values_differ",
    "message": "4 of 6 elements differ.",
    "time_ms": 0.4,
}


def item(number, verdict, passed, *, state="done"):
    return {
        "id": f"{number:022d}",
        "problem": SLUG,
        "revision": REVISION,
        "state": state,
        "verdict": verdict,
        "passed": passed,
        "total": 19,
        "minutes": 7 * number,
    }


def dated(item):
    return {**item, "submitted_at": (datetime.now(UTC) - timedelta(minutes=item["minutes"])).isoformat()}


ITEMS = [item(1, "wrong_answer", 4), item(2, None, 0, state="judging"), item(3, "accepted", 19)]


@pytest.fixture(scope="module")
def address():
    """Of a server with pages and a made-up history."""
    app = FastAPI()

    @app.get("/submissions")
    def listed(problem: str, before: str | None = None):
        assert problem == SLUG
        items = [dated(item) for item in (ITEMS[2:] if before else ITEMS[:2])]
        return {"items": items, "next": None if before else items[-1]["id"]}

    @app.get("/submissions/{identifier}")
    def one(identifier: str):
        found = next(dated(item) for item in ITEMS if item["id"] == identifier)
        source = RIGHT if found["verdict"] == "accepted" else UNSCALED
        cases = [] if found["verdict"] == "accepted" else [CASE]
        return {
            **found,
            "mode": "submit",
            "source": source,
            "cases": cases,
            "errors": [],
            "diagnosis": None,
            "notes": [],
        }

    mount_pages(app, Bank(shipped_bank()), Settings())
    with in_thread(app) as address:
        yield address


@pytest.fixture
def student(page, address):
    student = Student(page, f"{address}/problems/{SLUG}")
    student.open()
    student.write("# my draft\n")
    student.tab("submissions")
    return student


def test_they_are_listed_newest_first_and_older_ones_on_demand(student):
    rows = student.page.locator(".history > li")
    expect(rows).to_have_count(2)
    expect(rows.nth(0)).to_contain_text("Wrong answer")
    expect(rows.nth(0)).to_contain_text("4 of 19 cases")
    expect(rows.nth(0)).to_contain_text("7 minutes ago")
    expect(rows.nth(1)).to_contain_text("Not judged yet")
    student.page.get_by_role("button", name="Older").click()
    expect(rows).to_have_count(3)
    expect(rows.nth(2)).to_contain_text("Accepted")


def test_opening_one_shows_its_code_and_its_results_and_keeps_the_draft(student):
    student.page.get_by_role("button", name="Open").first.click()
    expect(student.page.get_by_role("group", name="Submitted code")).to_contain_text("the scale is missing")
    expect(student.verdict).to_contain_text("First failure: Worked example: values differ.")
    expect(student.page.get_by_text("for an earlier version of your code")).to_be_visible()
    expect(student.editor).to_have_text("# my draft")


def test_comparing_one_shows_what_changed_with_signs(student):
    student.write(RIGHT)
    student.page.get_by_role("button", name="Compare").first.click()
    changes = student.page.get_by_role("group", name="Changes since this submission")
    expect(changes.locator(".removed")).to_contain_text("the scale is missing")
    expect(changes.locator(".added")).to_contain_text("K.shape[-1] ** 0.5")
    expect(changes.locator(".added .sign")).to_have_text("+")


def test_restoring_one_can_be_taken_back(student):
    student.page.get_by_role("button", name="Open").first.click()
    student.page.get_by_role("button", name="Restore into the editor").click()
    expect(student.editor).to_contain_text("the scale is missing")
    student.page.get_by_role("button", name="Undo").click()
    expect(student.editor).to_have_text("# my draft")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1440, 390])
def test_axe_finds_nothing(student, scheme, width):
    student.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    student.page.set_viewport_size({"width": width, "height": 844})
    student.tab("submissions")
    student.page.get_by_role("button", name="Compare").first.click()
    expect(student.page.get_by_role("group", name="Changes since this submission")).to_be_visible()
    assert violations(student.page) == []
