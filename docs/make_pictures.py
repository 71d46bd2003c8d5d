"""Makes the pictures of the arena anew: `python docs/make_pictures.py`.

Makes the arena that `tournament arena demo` shows, lets it play until its ladder has ranks, and takes pictures of its
pages with Debian's Chromium (`apt-get install chromium`, `pip install '.[test]'`). It takes some minutes. Look at every
picture before you commit it.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.request import urlopen

from keeping_pictures import keep_picture, opened_browser
from playwright.sync_api import Browser, Page

from tournament.arena.operating.demonstration import NAME, Demonstration, make_demonstration
from tournament.arena.operating.founding import NewAccount

DESKTOP, PHONE = (1280, 800), (390, 844)
TALL = {"bot": 1240, "check-failed": 1160}
"""By picture how high it is, where what it is for would be cut off."""

COLOURS = (64,)
"""Of a palette: pages without cards have few."""

PATIENCE_SECONDS = 900

MINE = '''\
from tournament import Bot


class Mine(Bot):
    """Plays the first move there is."""

    def act(self, view):
        return view.legal_actions()[0]
'''


def main() -> None:
    """Writes all pictures."""
    with TemporaryDirectory() as name:
        demonstration = make_demonstration(Path(name) / "arena", port=0)
        with _started(demonstration), opened_browser() as browser:
            host, participant, *_ = demonstration.accounts
            _pictures_of_participant(_sign_in(browser, demonstration, participant), demonstration)
            _wait_for_ranks(demonstration)
            _pictures_for_everybody(browser, demonstration)
            _pictures_of_host(_sign_in(browser, demonstration, host), demonstration)


@contextmanager
def _started(demonstration: Demonstration) -> Iterator[None]:
    command = [sys.executable, "-m", "tournament", "arena", "start", str(demonstration.folder.path)]
    process = subprocess.Popen(command)
    try:
        _wait(lambda: _ask(f"{demonstration.address}/healthz") is not None)
        yield
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(timeout=60)


def _ask(address: str) -> Any:
    """Returns what an address answers as JSON, or None while it does not."""
    with suppress(OSError), urlopen(address, timeout=10) as answer:
        return json.load(answer)
    return None


def _wait(condition: Any) -> None:
    end = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError("The arena is not as far as the pictures need it: look at what it printed.")
        time.sleep(1)


def _wait_for_ranks(demonstration: Demonstration) -> None:
    address = f"{demonstration.address}/api/competitions/{NAME}/ladder"
    _wait(lambda: sum(row.get("rank") is not None for row in (_ask(address) or {"rows": []})["rows"]) >= 2)


def _open(browser: Browser, size: tuple[int, int] = DESKTOP) -> Page:
    return browser.new_page(
        viewport={"width": size[0], "height": size[1]}, color_scheme="light", reduced_motion="reduce"
    )


def _sign_in(browser: Browser, demonstration: Demonstration, account: NewAccount) -> Page:
    page = _open(browser)
    page.goto(f"{demonstration.address}/accounts/login/")
    page.fill("[name=login]", account.name)
    page.fill("[name=password]", account.password)
    page.click("main button")
    return page


def _pictures_of_participant(page: Page, demonstration: Demonstration) -> None:
    mine = f"{demonstration.address}/c/{NAME}/mine/"
    page.goto(mine)
    for name, program in (
        ("check-failed", MINE.replace("[0]", "[O]")),
        ("check", MINE),
    ):
        page.goto(mine)
        page.set_input_files(
            "[type=file] >> nth=0", {"name": "mine.py", "mimeType": "text/x-python", "buffer": program.encode()}
        )
        page.click("button:has-text('Hand in') >> nth=0")
        page.wait_for_selector("#state.refused, #state.active", timeout=PATIENCE_SECONDS * 1000)
        _take(page, name)
        if name == "check":
            page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
            _take(page, "phone-check")
            page.set_viewport_size({"width": DESKTOP[0], "height": DESKTOP[1]})
    page.goto(mine)
    _take(page, "own-bots")
    page.click("summary:has-text('Tokens') >> nth=0")
    page.fill("[name=label] >> nth=0", "laptop")
    page.click("button:has-text('Make a token') >> nth=0")
    page.evaluate(
        "for (const one of document.querySelectorAll('pre')) one.textContent = HIDDEN".replace(
            "HIDDEN", r"one.textContent.replace(/arena-[\w-]+/, 'arena-…')"
        )
    )
    _take(page, "token")


def _pictures_for_everybody(browser: Browser, demonstration: Demonstration) -> None:
    place = f"{demonstration.address}/c/{NAME}"
    page = _open(browser)
    page.goto(f"{place}/")
    _take(page, "competition")
    page.goto(f"{place}/ladder/")
    _take(page, "ladder")
    page.click("#ladder tbody a >> nth=0")
    _take(page, "bot")
    page.goto(f"{place}/rounds/")
    page.locator("#rounds tr:has-text('ladder'):has-text('complete') th a").first.click()
    _take(page, "round")
    page.click("text=Report and games")
    _take(page, "report")
    phone = _open(browser, PHONE)
    phone.goto(f"{place}/ladder/")
    _take(phone, "phone-ladder")


def _pictures_of_host(page: Page, demonstration: Demonstration) -> None:
    page.goto(f"{demonstration.address}/c/{NAME}/control/")
    _take(page, "control-room")
    page.goto(f"{demonstration.address}/c/{NAME}/control/rules/")
    _take(page, "rules")


def _take(page: Page, name: str) -> None:
    size = page.viewport_size
    if name in TALL:
        page.set_viewport_size({"width": DESKTOP[0], "height": TALL[name]})
    page.wait_for_timeout(1000)
    screenshot = page.screenshot()
    if size is not None:
        page.set_viewport_size(size)
    keep_picture(f"arena-{name}", screenshot, colours=COLOURS)


if __name__ == "__main__":
    main()
