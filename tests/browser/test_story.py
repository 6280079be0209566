"""What a student does, from the first look to an accepted submission."""

import re
import subprocess
import sys

from playwright.sync_api import expect

from tests.browser.student import BROKEN, NO_BATCHES, NOT_FINITE, RAISES, RIGHT, UNSCALED


def test_a_student_runs_fails_fixes_and_is_accepted(student):
    student.write(UNSCALED)
    student.run()
    expect(student.verdict).to_have_text(
        re.compile(r"^0 of 2 samples pass\. First failure: Worked example: values differ\.")
    )
    student.submit()
    expect(student.verdict).to_contain_text("of 19 cases pass. First failure: Worked example: values differ.")
    expect(student.case("sample/01")).to_have_attribute("open", "")
    expect(student.case("sample/01").get_by_role("img")).to_have_accessible_name(
        re.compile(r"4 of 6 elements outside the tolerance; the largest difference is 4\.46e-1 at \[\d, \d\]\.")
    )
    student.write(RIGHT)
    expect(student.page.get_by_text("for an earlier version of your code")).to_be_visible()
    student.submit()
    expect(student.verdict).to_have_text("Accepted: all 19 cases pass.")
    expect(student.page.get_by_text("for an earlier version of your code")).to_be_hidden()
    expect(student.page.locator(".case[data-tone=ok]")).to_have_count(19)


def test_a_run_is_never_called_accepted(student):
    student.write(RIGHT)
    student.run()
    expect(student.verdict).to_have_text("All 2 samples pass. Submit to judge every case.")
    expect(student.page.locator("#panel-results")).not_to_contain_text("Accepted")


def test_a_syntax_error_is_told_with_its_line_and_marked_there(student):
    student.write(BROKEN)
    student.submit()
    expect(student.verdict).to_contain_text("Your code was not run. Line 4:")
    expect(student.page.locator(".cm-lint-marker-error")).to_have_count(1)
    student.page.get_by_role("button", name="Line 4").click()
    expect(student.page.locator(".cm-activeLine")).to_have_text("def scaled_dot_product_attention(Q, K, V:")


def test_an_exception_shows_its_line_its_text_and_what_was_printed(student):
    student.write(RAISES)
    student.submit()
    expect(student.verdict).to_contain_text("raised RuntimeError")
    row = student.case("sample/01")
    expect(row).to_contain_text("mat1 and mat2 shapes cannot be multiplied")
    expect(row.locator(".printed", has_text="Q torch.Size([3, 2])")).to_be_visible()
    row.get_by_role("button", name="Go to line 6").click()
    expect(student.page.locator(".cm-activeLine")).to_have_text("    scores = Q @ K")


def test_a_secret_case_shows_its_title_and_says_that_it_is_secret(student):
    student.write(NO_BATCHES)
    student.submit()
    expect(student.verdict).to_contain_text("First failure: Batched, d_v ≠ d_k: wrong shape.")
    row = student.case("secret/04")
    expect(row).to_contain_text("This case is secret: its inputs, values and printed text are not shown.")
    expect(row.locator("table, .heat, .printed")).to_have_count(0)


def test_values_that_are_not_finite_are_shown_as_such(student):
    student.write(NOT_FINITE)
    student.run()
    expect(student.case("sample/01").locator("td", has_text="∞").first).to_be_visible()
    expect(student.case("sample/01")).to_contain_text("NaN or ∞")


def test_a_draft_survives_a_reload(student):
    student.write("# my own idea\n")
    expect(student.page.get_by_text("Draft saved")).to_be_visible()
    student.page.reload()
    student.wait_until_ready()
    expect(student.editor).to_have_text("# my own idea")


def test_a_draft_survives_a_reload_right_after_the_last_key(student):
    student.write("# just typed\n")
    student.page.reload()
    student.wait_until_ready()
    expect(student.editor).to_have_text("# just typed")


def test_reset_can_be_taken_back_by_its_button_and_by_undo(student):
    student.write("# mine\n")
    student.page.get_by_role("button", name="Reset").click()
    expect(student.editor).to_contain_text("Returns the scaled dot-product attention output.")
    student.page.get_by_role("button", name="Undo").click()
    expect(student.editor).to_have_text("# mine")
    student.page.get_by_role("button", name="Reset").click()
    student.page.keyboard.press("ControlOrMeta+z")
    expect(student.editor).to_have_text("# mine")


def test_own_inputs_are_checked_while_typed_and_run_beside_the_samples(student):
    student.tab("inputs")
    student.page.get_by_role("button", name="Start from worked example").click()
    field = student.page.get_by_label("K (..., m, d_k)")
    field.fill("[[1, 0], [0, 1]")
    expect(student.page.locator("#panel-inputs")).to_contain_text("A bracket is not closed.")
    field.fill("torch.tensor([[1., 0, 2], [0, 1, 2], [.5, .5, 2]])")
    expect(student.page.locator("#panel-inputs")).to_contain_text("d_k is 2 elsewhere, 3 here: (..., m, d_k).")
    field.fill("[[1, 0], [0, 1], [5e-1, .5]]")
    expect(student.page.locator("#panel-inputs")).to_contain_text("float32 (3, 2)")
    student.write(RIGHT)
    student.run()
    expect(student.verdict).to_have_text(
        "All 2 samples pass. Your code ran on your inputs. Submit to judge every case."
    )
    row = student.case("own/1")
    row.locator("summary").first.click()
    expect(row).to_contain_text("Ran")
    expect(row.locator("td", has_text="6.1546")).to_have_count(4)


def test_wrong_own_inputs_are_shown_instead_of_sent(student):
    student.tab("inputs")
    student.page.get_by_role("button", name="Empty").click()
    student.look_at("code")
    student.page.get_by_role("button", name="Run", exact=True).click()
    expect(student.page.locator("#panel-inputs")).to_be_visible()
    expect(student.page.get_by_label("Q (..., n, d_k)")).to_be_focused()


def test_a_slice_of_a_tensor_with_leading_dimensions_can_be_picked(student):
    student.tab("inputs")
    student.page.get_by_role("button", name="Empty").click()
    for name in ("Q", "K", "V"):
        student.page.locator(f"textarea[data-name={name}]").fill("[[[1, 0], [0, 1]], [[2, 0], [0, 2]]]")
    student.write(RIGHT)
    student.run()
    row = student.case("own/1")
    row.locator("summary").first.click()
    picker = row.get_by_label("Slice").first
    expect(picker).to_have_value("0")
    before = row.locator("table").first.inner_text()
    picker.select_option("1")
    expect(row.locator("table").first).not_to_have_text(before)


def test_hints_come_one_at_a_time(student):
    student.tab("hints")
    hints = student.page.locator(".hint-item")
    expect(hints.nth(0)).to_be_visible()
    expect(hints.nth(1)).to_be_hidden()
    hints.nth(0).locator("summary").click()
    student.page.get_by_role("button", name="Show hint 2 of 3").click()
    expect(hints.nth(1).locator("div")).to_be_visible()
    expect(hints.nth(2)).to_be_hidden()


def test_a_diagnosis_links_to_its_pitfall(student):
    def with_diagnosis(route):
        answer = route.fetch()
        diagnosis = (
            '"diagnosis":{"mistake":"no_scale","title":"The scale is missing","message":"Divide.","pitfall":"scaling"}'
        )
        route.fulfill(response=answer, body=re.sub(r'"diagnosis":(null|\{[^}]*\})', diagnosis, answer.text()))

    student.page.route("**/submit", with_diagnosis)
    student.write(UNSCALED)
    student.submit()
    expect(student.page.get_by_role("heading", name="The scale is missing")).to_be_visible()
    student.page.get_by_role("button", name="Read about it in the theory").click()
    expect(student.page.locator("#pitfall-scaling")).to_be_in_viewport()


def test_a_failing_sample_can_be_copied_as_code_that_fails_in_the_same_way(student):
    student.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    student.write(UNSCALED)
    student.submit()
    student.case("sample/01").get_by_role("button", name="Copy as torch code").click()
    expect(student.case("sample/01").get_by_role("button", name="Copied")).to_be_visible()
    code = student.page.evaluate("navigator.clipboard.readText()")
    assert "Mismatched elements: 4 / 6" in run_alone(code)
    assert "Error" not in run_alone(code.replace("K.transpose(-2, -1)", "K.transpose(-2, -1) / K.shape[-1] ** 0.5"))


def run_alone(code):
    """What a Python of its own says to a program."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    return done.stdout + done.stderr


def test_the_theme_can_be_chosen_and_is_kept(student):
    background = "getComputedStyle(document.body).backgroundColor"
    light = student.page.evaluate(background)
    switch = student.page.get_by_role("button", name=re.compile("Colour theme"))
    switch.click()
    expect(switch).to_have_accessible_name("Colour theme: light")
    switch.click()
    expect(switch).to_have_accessible_name("Colour theme: dark")
    dark = student.page.evaluate(background)
    assert dark != light
    student.page.reload()
    student.wait_until_ready()
    assert student.page.evaluate(background) == dark


def test_on_a_phone_the_story_needs_one_view_at_a_time(student):
    student.page.set_viewport_size({"width": 390, "height": 844})
    expect(student.page.get_by_role("button", name="Submit", exact=True)).to_be_visible()
    student.write(RIGHT)
    student.submit()
    expect(student.verdict).to_have_text("Accepted: all 19 cases pass.")
    expect(student.editor).to_be_hidden()
    student.look_at("read")
    expect(student.page.locator("#panel-problem")).to_be_visible()
    expect(student.page.get_by_role("button", name="Submit", exact=True)).to_be_visible()
