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


LOOKS = {"light": ("light", 1440, 900), "dark": ("dark", 1440, 900), "phone": ("light", 390, 844)}
STATES = {"accepted": RIGHT, "wrong": UNSCALED, "raises": RAISES, "broken": BROKEN, "secret": NO_BATCHES}


@pytest.fixture(params=LOOKS.values(), ids=LOOKS)
def page(request, page):
    scheme, width, height = request.param
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page.set_viewport_size({"width": width, "height": height})
    return page


def test_every_tab(student):
    found = {}
    for name in ("problem", "theory", "hints", "results", "inputs"):
        student.tab(name)
        if name == "hints":
            student.page.locator(".hint-item summary").first.click()
        if name == "inputs":
            student.page.get_by_role("button", name="Random").click()
            student.page.locator("textarea[data-name=K]").fill("[[1")
        found[name] = violations(student.page)
    assert {name: wrong for name, wrong in found.items() if wrong} == {}


def test_every_state_of_the_results(student):
    found = {}
    for name, source in STATES.items():
        student.write(source)
        student.submit()
        found[name] = violations(student.page)
    student.write(RIGHT)
    student.look_at("results")
    found["stale"] = violations(student.page)
    student.page.route("**/submit", lambda route: route.abort())
    student.submit()
    found["server gone"] = violations(student.page)
    assert {name: wrong for name, wrong in found.items() if wrong} == {}


def test_the_page_for_an_unknown_problem(page, address):
    page.goto(f"{address}/problems/no-such-problem")
    assert violations(page) == []
