"""Nothing is clipped, formulas look like formulas, paper gets the text."""

import pytest
from playwright.sync_api import expect

from tests.browser.student import UNSCALED

SIZES = [(1440, 900), (1024, 768), (390, 844), (320, 640)]
CLIPPED = """() => {
  const watched = "button, [role=tab], h1, .pill, .editor, .summary, #verdict, .panel, footer, header";
  const scrollers = ".panel, .tabs, .cm-scroller, .listing, .scroll, textarea";
  const seen = (selector) => [...document.querySelectorAll(selector)].filter((element) => element.checkVisibility());
  const wrong = [];
  const width = document.documentElement.scrollWidth;
  if (width > innerWidth) wrong.push(`the page is ${width} wide`);
  for (const element of seen(watched)) {
    const scroller = element.closest(scrollers);
    const { left, right, bottom, width } = element.getBoundingClientRect();
    if (!width || (scroller && scroller !== element)) continue;
    if (left < -0.5 || right > innerWidth + 0.5 || bottom > innerHeight + 0.5) {
      wrong.push(`${element.tagName} ${element.id || element.className} reaches ${left} ${right} ${bottom}`);
    }
  }
  for (const panel of seen(".panel")) {
    if (panel.scrollWidth > panel.clientWidth + 1) wrong.push(`#${panel.id} scrolls sideways`);
  }
  for (const label of seen("button, .pill")) {
    if (label.scrollWidth > label.clientWidth + 1) wrong.push(`"${label.textContent}" is cut`);
  }
  return wrong;
}"""
TEXT = """panel => {
  const copy = panel.cloneNode(true);
  for (const apart of copy.querySelectorAll("annotation, code")) apart.remove();
  return copy.textContent;
}"""
MATRICES = """() => [...document.querySelectorAll("#panel-theory mrow > mtable")].map((table) =>
  [table.getBoundingClientRect().height, table.previousElementSibling.getBoundingClientRect().height])"""
COLOURS = "cells => new Set(cells.map((cell) => getComputedStyle(cell).backgroundColor)).size"


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_nothing_is_clipped(student, width, height):
    student.page.set_viewport_size({"width": width, "height": height})
    found = {}
    for name in ("problem", "theory", "hints"):
        student.tab(name)
        found[name] = student.page.evaluate(CLIPPED)
    student.write(UNSCALED)
    found["code"] = student.page.evaluate(CLIPPED)
    student.submit()
    found["results"] = student.page.evaluate(CLIPPED)
    student.tab("inputs")
    student.page.get_by_role("button", name="Random").click()
    found["inputs"] = student.page.evaluate(CLIPPED)
    assert {name: wrong for name, wrong in found.items() if wrong} == {}


@pytest.mark.parametrize("width", [1440, 320])
def test_a_wide_formula_scrolls_in_its_own_box(student, width):
    student.page.set_viewport_size({"width": width, "height": 800})
    student.tab("theory")
    boxes = student.page.locator("#panel-theory .math-scroll")
    for number in range(boxes.count()):
        box = boxes.nth(number)
        assert box.evaluate("box => getComputedStyle(box).overflowX") == "auto"
        expect(box).to_have_attribute("tabindex", "0")
    assert student.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_every_formula_is_drawn_and_none_is_left_as_text(student):
    page = student.page
    assert page.locator("math").count() > 100
    assert page.locator("merror").count() == 0
    for name in ("problem", "theory", "hints"):
        student.tab(name)
        text = page.locator(f"#panel-{name}").evaluate(TEXT)
        assert "$" not in text
        assert "\\" not in text


def test_parentheses_around_a_matrix_are_as_tall_as_the_matrix(student):
    student.tab("theory")
    student.page.evaluate("document.fonts.ready.then(() => undefined)")
    assert student.page.evaluate("document.fonts.check('16px Math')")
    pairs = student.page.evaluate(MATRICES)
    assert len(pairs) >= 5
    assert [pair for pair in pairs if pair[1] < 0.9 * pair[0]] == []


def test_the_worked_example_is_a_figure_with_shaded_cells(student):
    student.tab("theory")
    steps = student.page.locator("#panel-theory .step")
    expect(steps).to_have_count(4)
    weights = steps.nth(2)
    expect(weights).to_contain_text("Weights")
    expect(weights.locator("td[class]").first).to_have_text("0.4555")
    output = steps.nth(3)
    expect(output.locator("td[class]").first).to_have_text("6.1546")
    colours = weights.locator("td[class]").evaluate_all(COLOURS)
    assert colours >= 3


def test_paper_gets_the_whole_text_and_no_buttons(student):
    page = student.page
    page.emulate_media(media="print")
    expect(page.get_by_role("heading", name="Pitfalls")).to_be_visible()
    expect(page.get_by_role("heading", name="Requirements")).to_be_visible()
    expect(page.get_by_role("button", name="Submit", exact=True)).to_be_hidden()
    expect(page.locator("#work")).to_be_hidden()


def test_the_first_look_shows_the_task_and_the_signature(student):
    expect(student.page.locator("#panel-problem strong").first).to_be_in_viewport()
    expect(student.page.get_by_role("heading", name="What to write")).to_be_in_viewport()
