"""How much the page weighs and how fast it answers."""

import gzip
import sys

import pytest
from playwright.sync_api import expect

from tests.browser.server import SLUG
from tests.browser.student import RIGHT, Student

FIRST_VIEW_KIB = 90
EDITOR_KIB = 170


@pytest.fixture
def say(capsys):
    """Prints a figure whatever pytest does with output."""

    def say(sentence):
        with capsys.disabled():
            sys.stdout.write(f"\n{sentence}\n")

    return say


@pytest.fixture
def answers(page, address):
    """Everything that a first visit loads."""
    answers = []
    page.on("response", lambda answer: answers.append(answer))  # noqa: PLW0108 -- builtin methods are refused
    Student(page, f"{address}/problems/{SLUG}").open()
    return answers


def test_the_first_view_and_the_editor_keep_to_their_budget(answers, say):
    sizes = {answer.url.rsplit("/", 1)[1]: len(gzip.compress(answer.body(), 6)) / 1024 for answer in answers}
    editor = sizes.pop("editor.js")
    font = sizes.pop("stix-two-math.woff2")
    total = sum(sizes.values())
    say(f"first view {total:.1f} KiB gzipped in {len(sizes)} files, editor {editor:.1f}, font {font:.1f}")
    assert total <= FIRST_VIEW_KIB
    assert editor <= EDITOR_KIB


def test_texts_travel_compressed_and_assets_are_kept_for_a_year(answers):
    for answer in answers:
        headers = answer.all_headers()
        if "/static/" in answer.url:
            assert headers["cache-control"] == "public, max-age=31536000, immutable"
        if len(answer.body()) > 2048 and not answer.url.endswith(".woff2"):
            assert headers.get("content-encoding") == "gzip", answer.url


def test_from_the_click_to_the_first_verdict(student, say):
    """Printed, not asserted: the machine decides."""
    student.write(RIGHT)
    student.run()
    took = []
    for _ in range(5):
        student.page.evaluate(
            """() => {
              window.took = null;
              const started = performance.now();
              const rows = document.getElementById("cases");
              rows.replaceChildren();
              new MutationObserver((_, observer) => {
                if (!rows.querySelector(".case")) return;
                observer.disconnect();
                requestAnimationFrame(() => { document.documentElement.dataset.took = performance.now() - started; });
              }).observe(rows, { childList: true });
              document.getElementById("run").click();
            }"""
        )
        expect(student.page.locator("html[data-took]")).to_have_count(1)
        student.wait_for_verdict()
        took.append(float(student.page.locator("html").get_attribute("data-took")))
        student.page.evaluate("delete document.documentElement.dataset.took")
    say(f"click to first verdict on screen: {', '.join(f'{one:.0f}' for one in took)} ms")
