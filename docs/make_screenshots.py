"""Makes the pictures of the documentation anew: `python docs/make_screenshots.py`.

Plays a small tournament with a fixed seed, and takes pictures of its games and its report with Debian's Chromium
(`apt-get install chromium`, `pip install '.[test]'`). Look at every picture before you commit it.
"""

from __future__ import annotations

import asyncio
import re
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, sync_playwright

from tournament import read_records, replay, run_tournament
from tournament.configuration.file import default_source
from tournament.configuration.flags import with_flags
from tournament.configuration.resolving import resolve
from tournament.configuration.types import Budget
from tournament.lab.judge import analyse
from tournament.records.codec import AnyRecord
from tournament.report.site import write_report
from tournament.viewer.frames import frames_of
from tournament.viewer.page import write_html
from tournament.viewer.terminal import ReplayApp

PICTURES = Path(__file__).parent / "pictures"
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
DESKTOP, TALL, PHONE = (1280, 860), (1280, 1440), (390, 844)


def main() -> None:
    """Writes all pictures."""
    PICTURES.mkdir(exist_ok=True)
    with TemporaryDirectory() as name:
        folder = Path(name)
        source, _ = with_flags(default_source(), seed="pictures", budget=Budget(deals=12), isolation="none")
        run = run_tournament(resolve(source), out=folder / "run")
        index = write_report(run)
        scout, explorers = folder / "scout.html", folder / "explorers.html"
        games = {record.id: record for record in read_records(run)}
        write_html(games["scout-3p.0.000003.0"], scout)
        write_html(games["explorers-2p.0.000003.0"], explorers)
        judged = folder / "judged.html"
        write_html(games["scout-3p.0.000003.0"], judged, analysis=analyse(games["scout-3p.0.000003.0"], worlds=60))
        terminal = asyncio.run(_draw_terminal(games["scout-3p.0.000003.0"]))
        with sync_playwright() as playwright:
            executable = shutil.which("chromium")
            browser = playwright.chromium.launch(executable_path=executable, args=FLAGS)
            _picture(browser, "replay-scout", f"{scout.as_uri()}#step=30", size=DESKTOP)
            _picture(browser, "replay-explorers", f"{explorers.as_uri()}#step=60", size=DESKTOP, scheme="dark")
            _picture(browser, "replay-phone", f"{scout.as_uri()}#step=30&view=seat1", size=PHONE)
            _picture(browser, "replay-analysis", f"{judged.as_uri()}#step=32", size=TALL)
            _picture(browser, "report", index.as_uri(), size=DESKTOP)
            _picture_drawing(browser, "replay-terminal", terminal)
            browser.close()


def _picture(browser: Browser, name: str, address: str, *, size: tuple[int, int], scheme: str = "light") -> None:
    page = browser.new_page(
        viewport={"width": size[0], "height": size[1]}, color_scheme=scheme, reduced_motion="reduce"
    )
    page.goto(address)
    page.wait_for_timeout(500)
    page.screenshot(path=PICTURES / f"{name}.png")
    page.close()


def _picture_drawing(browser: Browser, name: str, drawing: str) -> None:
    page = browser.new_page(viewport={"width": 1240, "height": 860})
    page.set_content(re.sub(r"@font-face\s*\{[^}]*\}", "", drawing))  # its fonts would come from the network
    page.locator("svg").screenshot(path=PICTURES / f"{name}.png")
    page.close()


async def _draw_terminal(record: AnyRecord) -> str:
    app = ReplayApp(frames_of(replay(record)))
    async with app.run_test(size=(100, 32)) as pilot:
        app.go_to(30)
        await pilot.pause()
        return app.export_screenshot()


if __name__ == "__main__":
    main()
