"""What tests of pages have in common: reading what is drawn, and axe's faults."""

from __future__ import annotations

from time import monotonic

import pytest
from axe_of_pages import faults_of_axe

LOOKS = pytest.mark.parametrize(
    ("width", "scheme"),
    [
        (1280, "light"),
        (360, "dark"),
        pytest.param(1280, "dark", marks=pytest.mark.long),
        pytest.param(360, "light", marks=pytest.mark.long),
    ],
)
"""Every width and every colour scheme; all four together are long."""


def serious_faults(page) -> list[str]:
    """Returns the faults of accessibility that axe-core finds."""
    return faults_of_axe(page)


def wait_for_replay(page) -> None:
    """Waits until the replay that a page is, or has in its frame, has all of its steps."""
    frame = page.main_frame
    if page.locator("iframe").count():
        wait_until(page, lambda: len(page.frames) > 1)
        frame = page.frames[-1]
    frame.wait_for_selector("html[data-unpacked]", state="attached")


def wider_than_the_screen(page) -> bool:
    """Returns whether a page has to be scrolled sideways."""
    return page.evaluate("document.documentElement.scrollWidth > innerWidth")


def wait_until(page, condition) -> None:
    """Waits until a condition holds; a page with a strict policy lets no text be evaluated again and again."""
    end = monotonic() + 10
    while not condition():
        assert monotonic() < end, "waited ten seconds in vain"
        page.wait_for_timeout(30)


def wait_for_change(page, condition: str) -> None:
    """Waits until a page changes so that an expression of JavaScript is true; nothing is asked again and again.

    However slow the machine is, it waits; the two minutes only end a test whose page never gets there.
    """
    waiting = """() => new Promise((resolve) => {
      const holds = HOLDS;
      const look = () => holds() && end(true);
      const watcher = new MutationObserver(look);
      const guard = setTimeout(() => end(false), 120000);
      const end = (held) => { watcher.disconnect(); clearTimeout(guard); resolve(held); };
      watcher.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
      look();
    })"""
    came = page.evaluate(waiting.replace("HOLDS", f"() => {condition}"))
    assert came, f"never came: {condition}"


class ReplayPage:
    """A replay as a person sees it."""

    def __init__(self, page) -> None:
        self.page = page
        page.wait_for_selector("html[data-unpacked]", state="attached")

    def press(self, key: str, times: int = 1) -> None:
        for _ in range(times):
            self.page.keyboard.press(key)

    def click(self, button: str, times: int) -> None:
        """Clicks a button that stays in its place, where the mouse finds it."""
        self.page.click(button)
        box = self.page.locator(button).bounding_box()
        for _ in range(times - 1):
            self.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    def text(self, name: str) -> str:
        return self.page.text_content(f"#{name}")

    @property
    def step(self) -> int:
        return int(self.page.input_value("#slider"))

    @property
    def table(self) -> str:
        """Everything on the table, as markup."""
        return self.page.inner_html("#table")

    @property
    def view(self) -> str:
        return self.page.get_attribute("#views [aria-pressed=true]", "data-view")

    def hand(self, seat: int) -> str:
        return self.page.get_attribute(f"[data-seat='{seat}'] .row", "aria-label")
