"""Debian's Chromium against the real server. Every test also fails on a script error, a violation of the page's
content security policy, or a request to anywhere else."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.server import SLUG, start
from tests.browser.student import Student

CHROMIUM = Path("/usr/bin/chromium")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
EXPECTED = "Failed to load resource"
"""What Chromium prints for every answer of 400 or more and for requests that a test aborts."""


def pytest_collection_modifyitems(items):
    here = Path(__file__).parent
    for item in items:
        if here in Path(item.fspath).parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    expect.set_options(timeout=10_000)
    return {**browser_type_launch_args, "headless": True, "args": ARGUMENTS, "executable_path": str(CHROMIUM)}


@pytest.fixture(scope="session")
def address(request, tmp_path_factory):
    """Of the server under test; `--base-url` names one that runs already."""
    if given := request.config.getoption("--base-url"):
        yield given.rstrip("/")
        return
    served = start(tmp_path_factory.mktemp("home"))
    yield served.address
    served.stop()


@pytest.fixture(scope="session")
def base_url():
    """Instead of the plugin's fixture of this name, which warns under this pytest. Tests name addresses in full."""


@pytest.fixture
def page(page, address):
    """A page that is watched: see the module's docstring."""
    faults = []
    page.on("pageerror", lambda error: faults.append(f"script error: {error}"))
    page.on(
        "console",
        lambda message: (
            faults.append(f"console: {message.text}")
            if message.type == "error" and EXPECTED not in message.text
            else None
        ),
    )
    page.on(
        "request",
        lambda request: (
            None if request.url.startswith((address, "data:", "blob:")) else faults.append(f"request to {request.url}")
        ),
    )
    yield page
    assert faults == []


@pytest.fixture
def student(page, address):
    """A student in front of the problem's page."""
    student = Student(page, f"{address}/problems/{SLUG}")
    student.open()
    return student
