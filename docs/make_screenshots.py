"""Makes the pictures of the documentation anew: `python docs/make_screenshots.py`.

Plays a small tournament with a fixed seed, and takes pictures of its games and its report with Debian's Chromium
(`apt-get install chromium`, `pip install '.[test]'`). Look at every picture before you commit it.
"""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any

from keeping_pictures import keep_picture, opened_browser
from playwright.sync_api import Browser, Page

from tournament import read_records, replay, run_tournament
from tournament.configuration.file import default_source
from tournament.configuration.flags import with_flags
from tournament.configuration.resolving import resolve
from tournament.configuration.types import Budget
from tournament.games import load_game
from tournament.lab.browser.playing import open_table
from tournament.lab.browser.serving import TableServer
from tournament.lab.guide import Guide, Seating, entrants_for
from tournament.lab.judge import analyse
from tournament.lab.person import LeftTable
from tournament.languages import Language
from tournament.paths import data_folder
from tournament.records.codec import AnyRecord
from tournament.records.settings import Hosting, Isolation
from tournament.report.site import write_report
from tournament.viewer.frames import frames_of
from tournament.viewer.page import write_html
from tournament.viewer.terminal import ReplayApp

DESKTOP, HALL, TALL, PHONE, SMALL_PHONE = (1280, 860), (1366, 768), (1280, 1200), (390, 844), (360, 640)


def main() -> None:
    """Writes all pictures."""
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
        german = write_report(run, folder / "german", language=Language.GERMAN)
        with opened_browser() as browser, _served(run) as address:
            _picture(browser, "replay-scout", f"{scout.as_uri()}#step=30", size=DESKTOP)
            _picture(browser, "replay-explorers", f"{explorers.as_uri()}#step=60", size=DESKTOP, scheme="dark")
            _picture(browser, "replay-phone", f"{scout.as_uri()}#step=30&view=seat1", size=PHONE)
            _picture(browser, "replay-analysis", f"{judged.as_uri()}#step=32", size=TALL)
            _picture(browser, "report", index.as_uri(), size=DESKTOP)
            _picture(browser, "report-german", german.as_uri(), size=DESKTOP, scheme="dark")
            _picture(browser, "watch", f"{address}watch/", size=DESKTOP, wait_ms=9000)
            _picture_projector(browser, f"{address}projector/")
            _picture_drawing(browser, "replay-terminal", terminal)
            _picture_seat_of_scout(browser)
            _picture_seat_of_explorers(browser)


@contextmanager
def _served(run: Path) -> Iterator[str]:
    """Gives the address of a run that is served until the end of the block."""
    command = [sys.executable, "-m", "tournament", "serve", str(run.parent), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        found = re.search(r"http://\S+/", process.stdout.readline())
        assert found is not None
        try:
            yield f"{found[0]}runs/{run.name}/"
        finally:
            process.terminate()


def _picture(
    browser: Browser, name: str, address: str, *, size: tuple[int, int], scheme: str = "light", wait_ms: int = 500
) -> None:
    page = browser.new_page(
        viewport={"width": size[0], "height": size[1]}, color_scheme=scheme, reduced_motion="reduce"
    )
    page.goto(address)
    page.wait_for_timeout(wait_ms)
    keep_picture(name, page.screenshot())
    page.close()


def _picture_projector(browser: Browser, address: str) -> None:
    """Takes the picture of a game on the projector, some moves after its beginning."""
    page = browser.new_page(viewport={"width": HALL[0], "height": HALL[1]}, reduced_motion="reduce")
    page.goto(address)
    page.wait_for_timeout(4000)
    while page.get_attribute(".slide.on", "data-slide") != "game":
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(100)
    page.wait_for_timeout(12_000)
    keep_picture("projector", page.screenshot())
    page.close()


@contextmanager
def _seat(
    browser: Browser, game_name: str, bots: tuple[str, ...], *, size: tuple[int, int], seat: int, **options: Any
) -> Iterator[Page]:
    """Gives the page of a seat at a table with bots."""
    game = load_game(game_name)
    paths = [str(data_folder("bots") / name) for name in bots]
    players = len(bots) + 1
    table = open_table(
        game,
        entrants_for(game_name, paths, players=players),
        people=(seat,),
        master="pictures",
        guide=Guide(Seating(game=game_name, players=players, options=game.Options())),
        options=game.Options(),
        hosting=Hosting(isolation=Isolation.NONE),
    )
    server = TableServer(table)
    server.open()
    playing = Thread(target=_until_closed, args=(table.play,))
    playing.start()
    page = browser.new_page(viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce", **options)
    page.goto(server.links[seat])
    page.wait_for_selector("body.my-turn")
    yield page
    page.close()
    server.close()
    playing.join()


def _picture_seat_of_scout(browser: Browser) -> None:
    """Takes the picture of a seat on a phone, when a card of the table has been touched."""
    bots = ("scout_keeper.py", "scout_greedy.py")
    with _seat(browser, "scout", bots, size=SMALL_PHONE, seat=1, has_touch=True) as page:
        page.click("[data-choice='0']")
        _touch(page, "table 0")
        _touch(page, "gap 5")
        keep_picture("seat-phone", page.screenshot())


def _picture_seat_of_explorers(browser: Browser) -> None:
    """Takes the picture of a seat at a desk some moves after the beginning, with what a hint says."""
    with _seat(browser, "explorers", ("explorers_threshold.py",), size=DESKTOP, seat=0) as page:
        for _ in range(10):
            number = page.get_attribute("html", "data-number")
            page.keyboard.press("ArrowRight")
            page.keyboard.press("Enter")
            page.wait_for_selector(f"html:not([data-number='{number}']) .my-turn", state="attached")
        page.click("#hint")
        page.wait_for_selector("#said:not(:empty)")
        keep_picture("seat-desk", page.screenshot())


def _touch(page: Page, spot: str) -> None:
    page.locator(f"[data-spot='{spot}'] >> nth=0").tap(position={"x": 8, "y": 24})


def _until_closed(play: Callable[[], object]) -> None:
    with suppress(LeftTable):
        play()


def _picture_drawing(browser: Browser, name: str, drawing: str) -> None:
    page = browser.new_page(viewport={"width": 1240, "height": 860})
    page.set_content(re.sub(r"@font-face\s*\{[^}]*\}", "", drawing))  # its fonts would come from the network
    keep_picture(name, page.locator("svg").screenshot())
    page.close()


async def _draw_terminal(record: AnyRecord) -> str:
    app = ReplayApp(frames_of(replay(record)))
    async with app.run_test(size=(100, 32)) as pilot:
        app.go_to(30)
        await pilot.pause()
        return app.export_screenshot()


if __name__ == "__main__":
    main()
