"""A student at the page: what they see and do, in their words. Shared by the browser tests and the screenshots."""

from dataclasses import dataclass

from playwright.sync_api import Locator, Page, expect

_HEAD = """import torch


def scaled_dot_product_attention(Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor) -> torch.Tensor:
"""
RIGHT = f"""{_HEAD}    scores = Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5
    return torch.softmax(scores, dim=-1) @ V
"""
UNSCALED = f"""{_HEAD}    scores = Q @ K.transpose(-2, -1)  # the scale is missing
    return torch.softmax(scores, dim=-1) @ V
"""
RAISES = f"""{_HEAD}    print("Q", Q.shape)
    scores = Q @ K
    return torch.softmax(scores, dim=-1) @ V
"""
BROKEN = """import torch


def scaled_dot_product_attention(Q, K, V:
    return V
"""
NO_BATCHES = f"""{_HEAD}    if Q.dim() > 2:
        return V
    return torch.softmax(Q @ K.T / K.shape[-1] ** 0.5, dim=-1) @ V
"""
NOT_FINITE = f"""{_HEAD}    return torch.softmax(Q @ K.mT / K.shape[-1] ** 0.5, dim=-1) @ V / 0
"""


@dataclass
class Student:
    """Somebody with a browser."""

    page: Page
    address: str
    """Of the problem's page."""

    def open(self) -> None:
        self.page.goto(self.address)
        self.wait_until_ready()

    def wait_until_ready(self) -> None:
        self.page.locator("html[data-ready]").wait_for()

    @property
    def is_narrow(self) -> bool:
        return self.page.locator(".views").is_visible()

    def look_at(self, view: str) -> None:
        """One of "read", "code", "results": on a narrow screen there is a switch, on a wide one all are in sight."""
        if self.is_narrow:
            self.page.locator(f"[data-show={view}]").click()

    def tab(self, name: str) -> None:
        """Opens a tab by its id: problem, theory, hints, submissions; results, inputs."""
        self.look_at("results" if name in ("results", "inputs") else "read")
        self.page.locator(f"#tab-{name}").click()

    @property
    def editor(self) -> Locator:
        return self.page.locator(".cm-content, #source:not([hidden])").first

    def write(self, source: str) -> None:
        """Replaces what is in the editor."""
        self.look_at("code")
        self.editor.click()
        self.page.keyboard.press("ControlOrMeta+a")
        self.page.keyboard.press("Delete")
        self.page.keyboard.insert_text(source)

    def run(self) -> None:
        self.page.get_by_role("button", name="Run", exact=True).click()
        self.wait_for_verdict()

    def submit(self) -> None:
        self.page.get_by_role("button", name="Submit", exact=True).click()
        self.wait_for_verdict()

    def wait_for_verdict(self) -> None:
        expect(self.page.locator("#summary")).not_to_have_attribute("data-state", "idle")
        expect(self.page.locator("#summary")).not_to_have_attribute("data-state", "busy", timeout=30_000)

    @property
    def verdict(self) -> Locator:
        return self.page.get_by_role("status")

    def case(self, name: str) -> Locator:
        """The row of a case, such as "sample/01-worked-example"; a prefix is enough."""
        return self.page.locator(f".case[data-case^='{name}']")
