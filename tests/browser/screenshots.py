"""Pictures of the page in each of its states, into the git-ignored folder screenshots/.

    python -m tests.browser.screenshots http://127.0.0.1:8000/problems/scaled-dot-product-attention [part of a name]

Looks at a server that is running already. Sizes 1440 and 390 wide, light and dark. The three pictures of the README are
made the same way, smaller: `python -m tests.browser.screenshots ADDRESS --readme` writes them to docs/pictures/.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, sync_playwright

from tests.browser.student import BROKEN, NO_BATCHES, RAISES, RIGHT, UNSCALED, Student

CHROMIUM = "/usr/bin/chromium"
ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking")
SIZES = {"wide": (1440, 900), "phone": (390, 844)}
SCHEMES = ("light", "dark")
NARROW = 860
README = {"light": ("wrong", 1280, 900), "dark": ("studied", 1280, 800), "phone": ("wrong", 390, 800)}
"""Picture, and the state and size that it shows."""


def main(address: str, wanted: str) -> None:
    """Takes all pictures whose name contains `wanted`, or those of the README."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        if wanted == "--readme":
            for name, (state, width, height) in README.items():
                context = _context(browser, width, height, "dark" if name == "dark" else "light", sharpness=1)
                _take(context, address, state, Path("docs/pictures") / f"{name}.png")
        else:
            for name in (f"{state}-{size}-{scheme}" for size in SIZES for scheme in SCHEMES for state in STATES):
                if wanted in name:
                    state, size, scheme = name.split("-")
                    context = _context(browser, *SIZES[size], scheme, sharpness=2 if size == "phone" else 1)
                    _take(context, address, state, Path("screenshots") / f"{name}.png")
        browser.close()


def _context(browser: Browser, width: int, height: int, scheme: str, *, sharpness: int) -> BrowserContext:
    return browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark" if scheme == "dark" else "light",
        reduced_motion="reduce",
        has_touch=width < NARROW,
        device_scale_factor=sharpness,
    )


def _take(context: BrowserContext, address: str, state: str, path: Path) -> None:
    student = Student(context.new_page(), address)
    student.open()
    STATES[state](student)
    student.page.evaluate("document.fonts.ready.then(() => undefined)")
    student.page.screenshot(path=path)
    context.close()


def _nothing(_student: Student) -> None:
    pass


def _theory(place: str) -> Callable[[Student], None]:
    def pose(student: Student) -> None:
        student.tab("theory")
        student.page.locator(place).first.evaluate("element => element.scrollIntoView()")

    return pose


def _hints(student: Student) -> None:
    student.tab("hints")
    student.page.locator(".hint-item summary").first.click()


def _written(student: Student) -> None:
    student.write(RIGHT)


def _submitted(source: str) -> Callable[[Student], None]:
    def pose(student: Student) -> None:
        student.write(source)
        student.submit()

    return pose


def _ran(student: Student) -> None:
    student.write(RIGHT)
    student.run()


def _studied(student: Student) -> None:
    _submitted(RIGHT)(student)
    _theory("#figure")(student)


def _stale(student: Student) -> None:
    _submitted(UNSCALED)(student)
    student.write(RIGHT)
    student.look_at("results")


def _own(student: Student) -> None:
    student.tab("inputs")
    student.page.get_by_role("button", name="Random").click()
    student.page.locator("textarea[data-name=K]").fill("[[1, 2, 3], [4, 5")


def _own_ran(student: Student) -> None:
    student.tab("inputs")
    student.page.get_by_role("button", name="Empty").click()
    for name in ("Q", "K", "V"):
        student.page.locator(f"textarea[data-name={name}]").fill("[[[1, 0], [0, 1]], [[2, 0], [0, 3]]]")
    student.write(UNSCALED)
    student.run()
    student.case("own/1").locator("summary").first.click()
    student.case("own/1").evaluate("element => element.scrollIntoView()")


def _submissions(student: Student) -> None:
    _submitted(UNSCALED)(student)
    student.write(RIGHT)
    student.tab("submissions")
    student.page.get_by_role("button", name="Compare").first.click()
    student.page.locator(".listing").wait_for()


def _like(student: Student) -> None:
    _submitted(NO_BATCHES)(student)
    student.page.get_by_role("button", name="Try a small case like it").click()
    student.page.get_by_role("button", name="Try another one").wait_for()


def _gone(student: Student) -> None:
    student.page.route("**/submit", lambda route: route.abort())
    _submitted(RIGHT)(student)


STATES: dict[str, Callable[[Student], None]] = {
    "problem": _nothing,
    "theory": _theory("#panel-theory h2"),
    "figure": _theory("#figure"),
    "pitfalls": _theory("#pitfall-scaling"),
    "hints": _hints,
    "code": _written,
    "accepted": _submitted(RIGHT),
    "ran": _ran,
    "wrong": _submitted(UNSCALED),
    "secret": _submitted(NO_BATCHES),
    "studied": _studied,
    "stale": _stale,
    "raises": _submitted(RAISES),
    "broken": _submitted(BROKEN),
    "own": _own,
    "ownran": _own_ran,
    "submissions": _submissions,
    "like": _like,
    "gone": _gone,
}

if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "")
