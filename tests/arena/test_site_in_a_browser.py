"""The site in Chromium: on a phone and a wide screen, light and dark, with and without JavaScript, by keyboard."""

from __future__ import annotations

import json

import msgspec
import pytest
from arena.made_site import made_ladder
from arena.making import make_version
from arena.shown_site import PATIENCE_MS, address, beside_a_loop, log_in  # noqa: F401 (fixtures)
from browser.pages import wait_until
from chromium import browser, open_page  # noqa: F401 (fixtures)

from tournament.arena.ladder_file import write_ladder
from tournament.arena.models import Announcement, BotRow, VersionRow
from tournament.arena.places import competition_folder, version_folder

# Django leaves a file of its own to the garbage collector
pytestmark = [pytest.mark.long, pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")]

EVERYBODY = [
    "/",
    "/accounts/login/",
    "/accounts/signup/",
    "/accounts/password/reset/",
    "/c/cup/",
    "/c/cup/ladder/",
    "/c/cup/news/",
    "/c/cup/bots/keeper/",
    "/c/cup/rounds/",
    "/c/cup/rounds/1/",
]


def test_pages_say_the_same_without_javascript(site, address, open_page):  # noqa: F811
    """Scripts only keep them fresh."""
    with_scripts = open_page(address, reduced_motion="reduce")
    without = open_page(address, java_script_enabled=False)
    differing = []
    for path in EVERYBODY:
        texts = []
        for page in (with_scripts, without):
            page.goto(address + path)
            page.wait_for_load_state()
            texts.append(page.inner_text("main").replace("\nCopy", ""))
        if texts[0] != texts[1]:
            differing.append(path)

    assert [] == differing


def test_without_javascript_a_round_tells_who_won_and_each_of_its_games_is_told_in_words(site, address, open_page):  # noqa: F811
    game = "explorers-2p.0.000000.0"
    page = open_page(address, java_script_enabled=False)
    page.set_default_timeout(PATIENCE_MS)
    page.goto(f"{address}/c/cup/rounds/1/report/")
    winner = page.inner_text("#won .winner >> nth=0")
    told = {}
    for path in (f"rounds/1/report/games/{game}.html", f"watch/1/{game}/", "watch/"):
        page.goto(f"{address}/c/cup/{path}")
        told[path] = page.frames[-1].inner_text(".told-game")

    assert "keeper.v1" in winner
    assert [] == [path for path, text in told.items() if "The cards are dealt." not in text or "Place 1: " not in text]


def test_the_ladder_moves_without_loading_the_page_again(site, address, open_page):  # noqa: F811
    page = open_page(f"{address}/c/cup/ladder/")
    page.evaluate("document.body.dataset.mark = 'same page'")
    before = page.inner_text("#ladder")
    moved = msgspec.structs.replace(made_ladder(), rounds=6, games=480)
    write_ladder(competition_folder(site.competition), moved)
    wait_until(page, lambda: "480 games" in page.inner_text("#ladder"))

    assert "400 games" in before
    assert "same page" == page.get_attribute("body", "data-mark")


def test_an_owner_sees_each_step_of_a_check_as_it_ends(site, address, open_page):  # noqa: F811
    version = make_version(BotRow.objects.get(name="keeper"), "checking")
    steps = version_folder(version).check / "steps.json"
    page = open_page(address)
    log_in(page, address, site.keeper_owner)
    page.goto(f"{address}/c/cup/bots/keeper/versions/2/")
    seen = [page.inner_text("#steps")]
    ended = []
    for name in ("loads", "answers"):
        ended.append({"number": len(ended) + 1, "name": name, "verdict": "passed", "found": f"{name} well"})
        steps.write_text(json.dumps({"names": ["loads", "answers", "plays"], "steps": ended}))
        wait_until(page, lambda wanted=f"{name} well": wanted in page.inner_text("#steps"))
        seen.append(page.inner_text("#steps"))

    assert "Its first step is not done yet." in seen[0]
    assert ("passed loads: loads well", "now answers", "to come plays") == tuple(seen[1].splitlines())


def test_everything_is_reached_by_the_keyboard(site, address, open_page):  # noqa: F811
    page = open_page(f"{address}/c/cup/")
    page.keyboard.press("Tab")
    first = page.evaluate("document.activeElement.textContent")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    inside = page.evaluate("document.querySelector('main').contains(document.activeElement)")

    assert ("To the content", True) == (first, inside)


def test_markup_in_what_people_write_is_shown_as_text(site, address, open_page):  # noqa: F811
    evil = "<img src=x onerror=alert(1)><script>alert(2)</script>{{ 7|add:7 }}"
    Announcement.objects.create(competition=site.competition, at=site.competition.created, text=evil)
    (version_folder(VersionRow.objects.get(bot__name="keeper")).check / "log.txt").write_text(evil)
    page = open_page(address)
    log_in(page, address, site.keeper_owner)
    shown = []
    for path in ("/c/cup/", "/c/cup/bots/keeper/versions/1/"):
        page.goto(address + path)
        shown.append((evil in page.text_content("main"), page.locator("main img").count()))  # also what is folded

    assert [(True, 0), (True, 0)] == shown
