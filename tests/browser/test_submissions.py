"""The Submissions tab, and trying a case like a secret one."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.server import SLUG
from tests.browser.student import NO_BATCHES, RIGHT, UNSCALED
from tests.browser.test_accessibility import violations


def submit_without_looking(student, source):
    answer = student.page.request.post(
        student.address.replace(f"problems/{SLUG}", "submit"), data={"problem": SLUG, "source": source}
    )
    assert answer.status == 200


@pytest.fixture
def two(student):
    """A wrong and then a right submission, and a draft that is neither."""
    submit_without_looking(student, UNSCALED)
    submit_without_looking(student, RIGHT)
    student.write("# my draft\n")
    student.tab("submissions")
    expect(student.page.locator(".history > li")).to_have_count(2)
    return student


def test_they_are_listed_newest_first(two):
    rows = two.page.locator(".history > li")
    expect(rows.nth(0)).to_contain_text("Accepted")
    expect(rows.nth(0)).to_contain_text("19 of 19 cases")
    expect(rows.nth(1)).to_contain_text("Wrong answer")
    expect(rows.nth(1)).to_contain_text("4 of 19 cases")
    expect(rows.nth(1).locator("time")).to_have_text(re.compile("now|ago"))


def test_a_submission_appears_in_the_open_list_when_it_is_judged_and_a_run_does_not(student):
    student.tab("submissions")
    expect(student.page.get_by_text("Nothing submitted from this browser yet.")).to_be_visible()
    student.write(RIGHT)
    student.run()
    student.submit()
    expect(student.page.locator(".history > li")).to_have_count(1)
    expect(student.page.locator(".history > li")).to_contain_text("Accepted")


def test_older_ones_come_on_demand(student):
    for _ in range(21):
        submit_without_looking(student, "x = 1\n")
    student.tab("submissions")
    expect(student.page.locator(".history > li")).to_have_count(20)
    expect(student.page.locator(".history > li").first).to_contain_text("Does not compile")
    student.page.get_by_role("button", name="Older").click()
    expect(student.page.locator(".history > li")).to_have_count(21)
    expect(student.page.get_by_role("button", name="Older")).to_be_hidden()


def test_opening_one_shows_its_code_and_its_results_and_keeps_the_draft(two):
    two.page.get_by_role("button", name="Open").nth(1).click()
    expect(two.page.get_by_role("group", name="Submitted code")).to_contain_text("the scale is missing")
    expect(two.verdict).to_contain_text("4 of 19 cases pass. First failure: Worked example: values differ.")
    expect(two.case("sample/01").locator(".heat")).to_be_visible()
    expect(two.page.get_by_text("for an earlier version of your code")).to_be_visible()
    expect(two.editor).to_have_text("# my draft")


def test_comparing_one_shows_what_changed_with_signs(two):
    two.write(RIGHT)
    two.page.get_by_role("button", name="Compare").nth(1).click()
    changes = two.page.get_by_role("group", name="Changes since this submission")
    expect(changes.locator(".removed")).to_contain_text("the scale is missing")
    expect(changes.locator(".added")).to_contain_text("K.shape[-1] ** 0.5")
    expect(changes.locator(".added .sign")).to_have_text("+")
    two.page.get_by_role("button", name="Compare").nth(0).click()
    expect(two.page.get_by_text("It is the same as the code in the editor.")).to_be_visible()


def test_restoring_one_can_be_taken_back(two):
    two.page.get_by_role("button", name="Open").nth(1).click()
    two.page.get_by_role("button", name="Restore into the editor").click()
    expect(two.editor).to_contain_text("the scale is missing")
    two.page.get_by_role("button", name="Undo").click()
    expect(two.editor).to_have_text("# my draft")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1440, 390])
def test_axe_finds_nothing(two, scheme, width):
    two.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    two.page.set_viewport_size({"width": width, "height": 844})
    two.tab("submissions")
    two.page.get_by_role("button", name="Compare").first.click()
    expect(two.page.get_by_role("group", name="Changes since this submission")).to_be_visible()
    assert violations(two.page) == []


def test_after_a_secret_failure_a_fresh_small_case_like_it_is_shown_with_all_its_values(student):
    student.write(NO_BATCHES)
    student.submit()
    row = student.case("secret/04")
    row.get_by_role("button", name="Try a small case like it").click()
    expect(row.get_by_role("heading", name="Expected")).to_be_visible()
    expect(row.get_by_role("heading", name="Got")).to_be_visible()
    row.locator("details", has_text="Inputs").locator("summary").last.click()
    for name in ("Q", "K", "V"):
        expect(row.get_by_role("group", name=f"{name}, values")).to_be_visible()
    assert violations(student.page) == []
    row.get_by_role("button", name="Try another one").click()
    expect(row.get_by_role("heading", name="Expected")).to_be_visible()
