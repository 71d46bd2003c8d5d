"""A browser for the pages: Debian's Chromium, driven by Playwright; nothing is downloaded.

Where there is none the tests are skipped and say so; with CI=true they fail instead.
"""

from __future__ import annotations

import pytest
from needs import need_browser, need_module

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]


@pytest.fixture(scope="module")
def browser():
    """Chromium for the tests of a file; kept longer, its event loop would be in the way of the tests of others."""
    executable = need_browser()
    sync_playwright = need_module("playwright.sync_api", extra="test").sync_playwright
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=executable, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def open_page(browser):
    """Opens addresses; at the end nothing may have been said on a console, and no request may have gone elsewhere."""
    contexts, said, asked = [], [], []

    def note(words, expected):
        if expected is None or expected not in words:
            said.append(words)

    def open_one(address, *, may_fail=False, **options):
        """Opens an address; where it `may_fail`, Chromium may say that a server answered with an error."""
        options = {"viewport": {"width": 1280, "height": 860}, "reduced_motion": "reduce"} | options
        context = browser.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(10_000)
        expected = "Failed to load resource: the server responded" if may_fail else None
        page.on("console", lambda message: note(f"{message.type}: {message.text}", expected))
        page.on("pageerror", lambda error: said.append(f"error: {error}"))
        page.on("request", lambda request: asked.append(request.url))
        page.goto(address)
        return page

    yield open_one
    for context in contexts:
        context.close()
    elsewhere = [url for url in asked if not url.startswith(("file://", "blob:", "data:", "http://127.0.0.1:"))]
    assert ([], []) == (said, elsewhere)
