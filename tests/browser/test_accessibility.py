"""axe finds nothing, on every tab and in every state, in both colour schemes."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser.student import BROKEN, NO_BATCHES, RAISES, RIGHT, UNSCALED

RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}


def violations(page):
    found = Axe().run(page, options=RULES).response["violations"]
    return [
        f"{rule['id']}: {node['html'][:120]} {node['failureSummary'][:200]}" for rule in found for node in rule["nodes"]
    ]


@pytest.fixture(params=["light", "dark"])
def scheme(request, page):
    page.emulate_media(color_scheme=request.param, reduced_motion="reduce")
    return request.param


@pytest.fixture(params=[(1440, 900), (390, 844)], ids=["wide", "phone"])
def size(request, page):
    width, height = request.param
    page.set_viewport_size({"width": width, "height": height})


@pytest.mark.parametrize("name", ["problem", "theory", "hints", "results", "inputs"])
def test_tabs(scheme, size, student, name):
    student.tab(name)
    if name == "hints":
        student.page.locator(".hint-item summary").first.click()
    if name == "inputs":
        student.page.get_by_role("button", name="Random").click()
        student.page.locator("textarea[data-name=K]").fill("[[1")
    assert violations(student.page) == []


@pytest.mark.parametrize(
    "source", [RIGHT, UNSCALED, RAISES, BROKEN, NO_BATCHES], ids=["accepted", "wrong", "raises", "broken", "secret"]
)
def test_results(scheme, size, student, source):
    student.write(source)
    student.submit()
    assert violations(student.page) == []


def test_stale_results(scheme, size, student):
    student.write(UNSCALED)
    student.submit()
    student.write(RIGHT)
    student.look_at("results")
    assert violations(student.page) == []


def test_a_server_that_is_gone(scheme, size, student):
    student.page.route("**/submit", lambda route: route.abort())
    student.write(RIGHT)
    student.submit()
    assert violations(student.page) == []


def test_the_page_for_an_unknown_problem(scheme, page, address):
    page.goto(f"{address}/problems/no-such-problem")
    assert violations(page) == []
