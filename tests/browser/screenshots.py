"""Pictures of the page in each of its states, into the git-ignored folder screenshots/.

    python tests/browser/screenshots.py http://127.0.0.1:8000 [part of a state's name]

Looks at a server that is running already. Sizes 1440 and 390 wide, light and dark.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

CHROMIUM = "/usr/bin/chromium"
ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking")
FOLDER = Path("screenshots")
SIZES = {"wide": (1440, 900), "phone": (390, 844)}
SCHEMES = ("light", "dark")

HEAD = "import torch\n\n\ndef scaled_dot_product_attention(Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor) -> torch.Tensor:\n"
RIGHT = (
    f"{HEAD}    scores = Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5\n    return torch.softmax(scores, dim=-1) @ V\n"
)
UNSCALED = f"{HEAD}    scores = Q @ K.transpose(-2, -1)  # the scale is missing\n    return torch.softmax(scores, dim=-1) @ V\n"
RAISES = f"{HEAD}    print('Q', Q.shape)\n    scores = Q @ K\n    return torch.softmax(scores, dim=-1) @ V\n"
BROKEN = "import torch\n\n\ndef scaled_dot_product_attention(Q, K, V:\n    return V\n"


def main(address: str, wanted: str) -> None:
    """Takes all pictures whose name contains `wanted`."""
    FOLDER.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        for size in SIZES:
            for scheme in SCHEMES:
                for name, pose in STATES.items():
                    if wanted in f"{name}-{size}-{scheme}":
                        _take(browser, address, size, scheme, name, pose)
        browser.close()


def _take(browser: Browser, address: str, size: str, scheme: str, name: str, pose: Callable[[Page], None]) -> None:
    width, height = SIZES[size]
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark" if scheme == "dark" else "light",
        has_touch=size == "phone",
        device_scale_factor=2 if size == "phone" else 1,
    )
    page = context.new_page()
    page.goto(address)
    page.locator("html[data-ready]").wait_for()
    pose(page)
    page.evaluate("document.fonts.ready")
    page.screenshot(path=FOLDER / f"{name}-{size}-{scheme}.png")
    context.close()


def _write(page: Page, source: str) -> None:
    if page.locator("[data-show=code]").is_visible():
        page.locator("[data-show=code]").click()
    page.locator(".cm-content").click()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.press("Delete")
    page.keyboard.insert_text(source)


def _judge(page: Page, source: str, button: str) -> None:
    _write(page, source)
    page.locator(button).click()
    page.locator("#summary:not([data-state=idle]):not([data-state=busy])").wait_for()


def _tab(page: Page, name: str) -> None:
    page.locator(f"#tab-{name}").click()


def _own_inputs(page: Page) -> None:
    if page.locator("[data-show=results]").is_visible():
        page.locator("[data-show=results]").click()
    _tab(page, "inputs")
    page.get_by_role("button", name="Random").click()
    page.locator("textarea[data-name=K]").fill("[[1, 2, 3], [4, 5")


def _run_own(page: Page) -> None:
    if page.locator("[data-show=results]").is_visible():
        page.locator("[data-show=results]").click()
    _tab(page, "inputs")
    page.get_by_role("button", name="Random").click()
    _judge(page, RIGHT, "#run")
    page.locator(".case[data-case='own/1'] summary").click()


def _figure(page: Page) -> None:
    _tab(page, "theory")
    page.locator("#figure").scroll_into_view_if_needed()


def _secret(page: Page) -> None:
    _judge(page, UNSCALED, "#submit")
    page.locator(".case[data-case^='secret/05'] summary").click()
    page.locator(".case[data-case^='secret/05']").scroll_into_view_if_needed()


def _stale(page: Page) -> None:
    _judge(page, UNSCALED, "#submit")
    _write(page, RIGHT)
    if page.locator("[data-show=results]").is_visible():
        page.locator("[data-show=results]").click()


def _gone(page: Page) -> None:
    page.route("**/submit", lambda route: route.abort())
    _judge(page, RIGHT, "#submit")


STATES: dict[str, Callable[[Page], None]] = {
    "problem": lambda page: None,
    "theory": lambda page: _tab(page, "theory"),
    "figure": _figure,
    "pitfalls": lambda page: (_tab(page, "theory"), page.locator("#pitfall-scaling").scroll_into_view_if_needed()),
    "hints": lambda page: (_tab(page, "hints"), page.locator(".hint-item summary").first.click()),
    "code": lambda page: _write(page, RIGHT),
    "accepted": lambda page: _judge(page, RIGHT, "#submit"),
    "ran": lambda page: _judge(page, RIGHT, "#run"),
    "wrong": lambda page: _judge(page, UNSCALED, "#submit"),
    "secret": _secret,
    "stale": _stale,
    "raises": lambda page: _judge(page, RAISES, "#submit"),
    "broken": lambda page: _judge(page, BROKEN, "#submit"),
    "own": _own_inputs,
    "own-ran": _run_own,
    "gone": _gone,
}

if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "")
