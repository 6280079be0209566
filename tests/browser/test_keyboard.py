"""Everything works without a mouse."""

import re

from playwright.sync_api import expect

from tests.browser.student import RIGHT


def focused(page):
    return page.evaluate("document.activeElement.id || document.activeElement.className")


def tab_to(page, locator, most=40):
    """Presses Tab until the focus is there."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if locator.evaluate("element => element === document.activeElement"):
            return
    raise AssertionError(f"Tab never reached {locator}; it is at {focused(page)}")


def test_from_the_start_to_a_verdict_with_the_keyboard_only(student):
    page = student.page
    tab_to(page, page.get_by_role("link", name="Skip to the code editor"), most=1)
    page.keyboard.press("Enter")
    tab_to(page, student.editor)
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.insert_text(RIGHT)
    page.keyboard.press("Escape")
    tab_to(page, page.get_by_role("button", name="Submit", exact=True))
    page.keyboard.press("Enter")
    expect(student.verdict).to_have_text("Accepted: all 19 cases pass.")


def test_escape_then_tab_leaves_the_editor_and_tab_alone_indents(student):
    student.write("if True:\n")
    student.page.keyboard.press("Tab")
    student.page.keyboard.insert_text("pass")
    expect(student.page.locator(".cm-content")).to_contain_text("    pass")
    student.page.keyboard.press("Escape")
    student.page.keyboard.press("Tab")
    assert not student.page.evaluate("Boolean(document.activeElement.closest('.cm-editor'))")


def test_run_and_submit_have_keys_inside_the_editor_and_outside(student):
    student.write(RIGHT)
    student.page.keyboard.press("ControlOrMeta+Enter")
    expect(student.verdict).to_contain_text("samples pass")
    student.page.keyboard.press("ControlOrMeta+Shift+Enter")
    expect(student.verdict).to_have_text("Accepted: all 19 cases pass.")
    expect(student.editor).to_have_text(re.compile("softmax"))
    student.page.locator("#tab-problem").focus()
    student.page.keyboard.press("ControlOrMeta+Enter")
    expect(student.verdict).to_contain_text("samples pass")


def test_the_save_key_is_swallowed_and_says_that_the_draft_is_saved(student):
    student.write("# kept\n")
    student.page.keyboard.press("ControlOrMeta+s")
    expect(student.page.locator("#announcer")).to_have_text("Draft saved")
    student.page.locator("#tab-problem").focus()
    student.page.keyboard.press("ControlOrMeta+s")
    expect(student.page.locator("#saved")).to_have_text("Draft saved")


def test_arrows_move_between_tabs_and_only_one_is_a_tab_stop(student):
    page = student.page
    page.get_by_role("tab", name="Problem").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Theory")).to_be_focused()
    expect(page.get_by_role("tabpanel", name="Theory")).to_be_visible()
    expect(page.get_by_role("tabpanel", name="Problem")).to_be_hidden()
    page.keyboard.press("Home")
    expect(page.get_by_role("tab", name="Problem")).to_be_focused()
    assert page.locator("#tabs [role=tab][tabindex='0']").count() == 1


def test_panes_are_resized_with_arrows_and_stay_so(student):
    page = student.page
    width = "document.getElementById('read').getBoundingClientRect().width"
    before = page.evaluate(width)
    page.get_by_role("separator", name="Width of the problem").focus()
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    after = page.evaluate(width)
    assert after > before + 80
    page.reload()
    student.wait_until_ready()
    assert page.evaluate(width) == after


def test_panes_are_resized_with_the_mouse(student):
    page = student.page
    box = page.get_by_role("separator", name="Height of the editor").bounding_box()
    height = "document.getElementById('code').getBoundingClientRect().height"
    before = page.evaluate(height)
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] - 100)
    page.mouse.up()
    assert page.evaluate(height) < before - 60
