"""A server that ends and comes back while somebody works: a server of this file's own."""

import pytest
from playwright.sync_api import expect

from tests.browser.server import start
from tests.browser.student import RIGHT


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def served(home):
    """Servers in the order in which they were started; the last one runs."""
    served = [start(home)]
    yield served
    served[-1].stop()


@pytest.fixture(scope="module")
def address(served):
    return served[0].address


def test_the_submission_of_before_the_restart_is_judged_after_it(student, served, home):
    student.write(RIGHT)
    served[0].stop()
    student.submit()
    expect(student.verdict).to_have_text("The server does not answer.")
    expect(student.page.locator(".trouble")).to_contain_text("The same submission is sent again by itself.")
    served.append(start(home, served[0].port))
    expect(student.verdict).to_have_text("Accepted: all 19 cases pass.", timeout=60_000)
    student.page.reload()
    student.wait_until_ready()
    expect(student.editor).to_contain_text("softmax")
