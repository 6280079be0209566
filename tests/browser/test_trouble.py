"""What can be missing: the bundle, scripts, the server. The code is never lost."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.server import SLUG
from tests.browser.student import RIGHT, UNSCALED, Student


def test_without_the_bundle_the_text_area_does_the_whole_story(page, address):
    page.route("**/dist/editor.js", lambda route: route.abort())
    student = Student(page, f"{address}/problems/{SLUG}")
    student.open()
    expect(page.locator("html")).to_have_attribute("data-editor", "textarea")
    student.write("def f():")
    page.keyboard.press("Enter")
    page.keyboard.insert_text("pass")
    expect(page.locator("#source")).to_have_value("def f():\n    pass")
    page.keyboard.press("Tab")
    expect(page.locator("#source")).to_have_value("def f():\n    pass    ")
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    expect(page.locator("#source")).not_to_be_focused()
    student.write(RIGHT)
    page.keyboard.press("ControlOrMeta+Shift+Enter")
    expect(student.verdict).to_have_text("Accepted: all 19 cases pass.")
    page.get_by_role("button", name="Reset").click()
    expect(page.locator("#source")).to_have_value(re.compile("Returns the scaled"))
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#source")).to_have_value(RIGHT)
    page.reload()
    student.wait_until_ready()
    expect(page.locator("#source")).to_have_value(RIGHT)


@pytest.mark.parametrize("width", [1440, 390])
def test_without_scripts_everything_can_be_read(browser, address, width):
    context = browser.new_context(java_script_enabled=False, viewport={"width": width, "height": 900})
    page = context.new_page()
    page.goto(f"{address}/problems/{SLUG}")
    expect(page.get_by_role("heading", name="Requirements")).to_be_visible()
    expect(page.get_by_role("heading", name="Pitfalls")).to_be_visible()
    expect(page.get_by_text("Hint 3 of 3")).to_be_visible()
    expect(page.get_by_text("Writing and submitting code here needs JavaScript.")).to_be_visible()
    expect(page.get_by_role("button", name="Submit", exact=True)).to_be_hidden()
    expect(page.get_by_role("tab")).to_have_count(0)
    page.get_by_role("heading", name="Pitfalls").scroll_into_view_if_needed()
    expect(page.get_by_role("heading", name="Pitfalls")).to_be_in_viewport()
    context.close()


def test_when_its_modules_do_not_come_the_page_can_still_be_read(page, address):
    page.route("**/js/results.js", lambda route: route.abort())
    page.goto(f"{address}/problems/{SLUG}")
    expect(page.get_by_role("heading", name="Pitfalls")).to_be_visible()


def test_a_server_that_does_not_answer_gets_the_same_submission_again(student):
    keys = []

    def twice_gone(route):
        keys.append(route.request.headers["idempotency-key"])
        if len(keys) < 3:
            route.abort()
        else:
            route.continue_()

    student.page.route("**/submit", twice_gone)
    student.write(RIGHT)
    student.submit()
    expect(student.verdict).to_have_text("The server does not answer.")
    expect(student.page.locator(".trouble")).to_contain_text("Your code is kept in this browser.")
    student.page.get_by_role("button", name="Try now").click()
    student.page.get_by_role("button", name="Try now").click()
    expect(student.verdict).to_have_text("Accepted: all 19 cases pass.")
    assert len(keys) == 3
    assert len(set(keys)) == 1


def test_a_busy_server_is_asked_again_by_itself_after_the_time_it_names(student):
    seen = []

    def busy_once(route):
        seen.append(route)
        if len(seen) == 1:
            route.fulfill(
                status=503,
                headers={"Retry-After": "1", "Content-Type": "application/problem+json"},
                body='{"detail": "128 submissions are waiting."}',
            )
        else:
            route.continue_()

    student.page.route("**/submit", busy_once)
    student.write(RIGHT)
    student.submit()
    expect(student.verdict).to_have_text("Accepted: all 19 cases pass.")
    assert len(seen) == 2


def test_waiting_can_be_stopped_and_taken_up_again(student):
    student.page.route("**/submit", lambda route: route.abort())
    student.write(RIGHT)
    student.submit()
    student.page.get_by_role("button", name="Stop").click()
    expect(student.page.get_by_role("button", name="Try again")).to_be_visible()
    student.page.unroute("**/submit")
    student.page.get_by_role("button", name="Try again").click()
    expect(student.verdict).to_have_text("Accepted: all 19 cases pass.")


def test_a_refusal_is_told_in_the_servers_words(student):
    student.write("#" * 70_000)
    student.submit()
    expect(student.verdict).to_have_text("The source has 70000 bytes; this problem takes at most 64 KiB.")
    expect(student.page.get_by_text("Nothing was judged. Your code is unchanged.")).to_be_visible()


def test_a_stream_that_breaks_off_is_not_taken_for_a_verdict(student):
    def cut(route):
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text()[:900])

    student.page.route("**/submit", cut)
    student.write(UNSCALED)
    student.submit()
    expect(student.verdict).to_have_text("The connection ended before the report came.")
    student.page.unroute("**/submit")
    student.page.get_by_role("button", name="Try now").click()
    expect(student.verdict).to_contain_text("of 19 cases pass")


def test_a_new_version_of_the_problem_is_told_and_the_code_goes_along(student):
    def newer(route):
        answer = route.fetch()
        route.fulfill(
            response=answer, body=re.sub(r'"revision":"[0-9a-f]+"', f'"revision":"{"0" * 64}"', answer.text())
        )

    student.page.route("**/submit", newer)
    student.write(RIGHT)
    student.submit()
    expect(student.page.get_by_text("The problem was updated since you opened this page.")).to_be_visible()


def test_an_unknown_problem_has_a_page_of_its_own(page, address):
    answer = page.goto(f"{address}/problems/no-such-problem")
    assert answer.status == 404
    expect(page.get_by_role("heading", name="No such problem")).to_be_visible()
    page.get_by_role("link", name="All problems").last.click()
    expect(page.get_by_role("heading", name="Scaled Dot-Product Attention")).to_be_visible()
