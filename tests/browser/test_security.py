"""What a page full of strangers' text must not do."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

import static
from tests.browser.server import SLUG
from tests.browser.student import RIGHT

SCRIPTS = sorted((Path(static.__file__).parent / "js").glob("*.js"))
MARKUP = re.compile(
    r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|createContextualFragment|\beval\(|new Function"
)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_no_script_of_ours_parses_html_or_code(script):
    assert MARKUP.findall(script.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_scripts_stay_small(script):
    assert len(script.read_text(encoding="utf-8").splitlines()) < 250


def test_scripts_and_html_from_strings_are_refused(browser, address):
    page = browser.new_page()  # not the watched one: these violations are wanted
    page.goto(f"{address}/problems/{SLUG}")
    outcome = page.evaluate(
        """() => {
          const script = document.createElement("script");
          let typed = "";
          try { script.text = "window.reached = 1"; } catch (error) { typed = error.name; }
          let html = "";
          try { document.createElement("div").innerHTML = "<b>x</b>"; } catch (error) { html = error.name; }
          return [typed, html, window.reached ?? null];
        }"""
    )
    assert outcome == ["TypeError", "TypeError", None]
    page.close()


def test_text_of_a_submission_stays_text(student):
    markup = "<img src=x onerror=alert(1)><script>alert(2)</script>"
    student.write(RIGHT.replace("    scores", f"    print({markup!r})\n    scores"))
    student.run()
    row = student.case("sample/01")
    row.locator("summary").first.click()
    expect(row.locator(".printed")).to_have_text(f"{markup}\n")
    assert student.page.locator("#cases img, #cases script").count() == 0


def test_the_headers_are_those_that_were_promised(page, address, student):
    headers = page.request.get(student.address).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "require-trusted-types-for 'script'; trusted-types 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    nonces = {
        re.search(r"nonce-([\w-]+)", page.request.get(student.address).headers["content-security-policy"])[1]
        for _ in range(3)
    }
    assert len(nonces) == 3
