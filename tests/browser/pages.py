"""What tests of pages have in common: reading what is drawn, and axe's faults."""

from __future__ import annotations

from time import monotonic


def serious_faults(page) -> list[str]:
    """Returns the faults of accessibility that axe-core calls serious or critical."""
    from axe_playwright_python.sync_playwright import Axe

    violations = Axe().run(page).response["violations"]
    return [
        f"{fault['id']}: {node['html'][:200]}"
        for fault in violations
        if fault["impact"] in ("serious", "critical")
        for node in fault["nodes"]
    ]


def wider_than_the_screen(page) -> bool:
    """Returns whether a page has to be scrolled sideways."""
    return page.evaluate("document.documentElement.scrollWidth > innerWidth")


def wait_until(page, condition) -> None:
    """Waits until a condition holds; a page with a strict policy lets no text be evaluated again and again."""
    end = monotonic() + 10
    while not condition():
        assert monotonic() < end, "waited ten seconds in vain"
        page.wait_for_timeout(30)


class ReplayPage:
    """A replay as a person sees it."""

    def __init__(self, page) -> None:
        self.page = page
        page.wait_for_selector("html[data-unpacked]", state="attached")

    def press(self, key: str, times: int = 1) -> None:
        for _ in range(times):
            self.page.keyboard.press(key)

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
