"""The page of featured games: it plays one after the other at the reader's pace, and follows what is new."""

from __future__ import annotations

import json
import shutil

import pytest
from layout_of_pages import SIZES, faults_of_layout
from made_runs import small_run
from pages import wait_until
from served_runs import served_runs

from tournament.report.live import live_routes


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A small run."""
    return small_run(tmp_path_factory.mktemp("runs"))


@pytest.fixture(scope="module")
def server(run):
    """The address of a server of the run."""
    with served_runs(run.parent) as address:
        yield address


@pytest.fixture
def growing(run):
    """A run with no complete block, and what lets it have so many games."""
    folder = run.parent / "growing"
    shutil.copytree(run, folder, ignore=shutil.ignore_patterns("report"))
    lines = (run / "results.jsonl").read_bytes().splitlines(keepends=True)
    (folder / "results.jsonl").write_bytes(lines[0])
    info = json.loads((run / "run.json").read_text()) | {"state": "running"}
    for segment in info["segments"]:
        segment.pop("extent", None)  # written at the end
    (folder / "run.json").write_text(json.dumps(info))
    yield lambda games: (folder / "results.jsonl").write_bytes(b"".join(lines[:games]))
    shutil.rmtree(folder)


def frame_of(page):
    """Returns the frame with the game that the page names, as soon as it plays."""
    wait_until(page, lambda: page.frames[-1].url.partition("#")[0].endswith(page.get_attribute("#alone", "href")[2:]))
    frame = page.frames[-1]
    frame.wait_for_selector("html.watched[data-unpacked]", state="attached")
    return frame


def step_of(frame) -> int:
    return int(frame.input_value("#slider"))


def test_the_game_is_in_sight_within_its_frame_at_each_size(server, open_page):
    page = open_page(f"{server}runs/made-run/watch/")
    frame = frame_of(page)
    hidden = []
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        faults_of_layout(page, width=width)  # waits until it is drawn
        if not frame.evaluate("document.querySelector('.board').getBoundingClientRect().bottom <= innerHeight"):
            hidden.append(width)

    assert [] == hidden


def test_a_game_plays_by_itself_and_its_sentence_and_notation_are_shown(server, open_page):
    page = open_page(f"{server}runs/made-run/watch/")
    frame = frame_of(page)
    wait_until(page, lambda: step_of(frame) >= 1)
    told = (frame.text_content("#words"), frame.text_content("#short"), frame.text_content(".score"))

    assert all(told)
    assert not frame.is_visible("#events")  # they tell what comes


def test_the_reader_chooses_the_pace_and_it_holds_for_the_next_game(server, open_page):
    page = open_page(f"{server}runs/made-run/watch/")
    frame = frame_of(page)
    before = frame.text_content("#speed")
    frame.click("[data-does=faster]")
    chosen = frame.text_content("#speed")
    frame.click("#play")
    stopped = step_of(frame)
    page.click("#next")
    wait_until(page, lambda: frame_of(page).text_content("#speed") == chosen)

    assert "0.67/s" == before
    assert chosen != before
    assert stopped < 60


def test_a_game_that_is_over_is_followed_by_the_next(server, open_page):
    page = open_page(f"{server}runs/made-run/watch/")
    page.clock.install()
    page.reload()
    frame = frame_of(page)
    first = page.get_attribute("#alone", "href")
    last = int(frame.get_attribute("#slider", "max"))
    frame.evaluate(f"location.hash = 'step={last - 1}'")
    wait_until(page, lambda: step_of(frame) >= last - 1)
    page.clock.run_for(10_000)
    wait_until(page, lambda: page.get_attribute("#alone", "href") != first)
    frame = frame_of(page)

    assert step_of(frame) < last - 1


def test_who_goes_to_the_end_by_hand_stays_there(server, open_page):
    page = open_page(f"{server}runs/made-run/watch/")
    page.clock.install()
    page.reload()
    frame = frame_of(page)
    first = page.get_attribute("#alone", "href")
    frame.click("[data-does=last]")
    page.clock.run_for(60_000)

    assert first == page.get_attribute("#alone", "href")
    assert step_of(frame) == int(frame.get_attribute("#slider", "max"))


def test_new_games_are_listed_without_losing_the_place(server, growing, open_page, monkeypatch):
    """Over a stream that ends again and again, as one does when its time is over."""
    monkeypatch.setattr(live_routes, "LOOK_SECONDS", 0.05)
    monkeypatch.setattr(live_routes, "LONGEST_SECONDS", 0.3)
    monkeypatch.setattr(live_routes, "RETRY", b"retry: 50\n\n")
    page = open_page(f"{server}runs/growing/watch/")
    page.evaluate("document.body.dataset.mark = 'same page'")
    before = page.text_content("#nothing")
    shown = page.is_visible("#now")
    growing(3)
    wait_until(page, lambda: page.locator("#more li").count() == 1)
    frame = frame_of(page)
    frame.click("#play")
    frame.click("[data-does=next]")
    place = step_of(frame)
    growing(5)
    wait_until(page, lambda: page.locator("#more li").count() == 2)

    assert "No complete block has been played yet." in before
    assert not shown
    assert place == step_of(frame)
    assert "same page" == page.get_attribute("body", "data-mark")


def test_without_javascript_the_page_tells_the_game_and_links_replays(server, open_page):
    page = open_page(f"{server}runs/made-run/watch/", java_script_enabled=False)
    links = page.locator("#more li a")
    text = page.frames[-1].locator(".told-game").inner_text()
    hidden = page.locator("#next").is_hidden()
    links.first.click()

    assert "The cards are dealt." in text
    assert "Place 1: " in text
    assert hidden
    assert "The cards are dealt." in page.inner_text(".told-game")


@pytest.mark.parametrize(("motion", "moves"), [("reduce", False), ("no-preference", True)])
def test_cards_travel_only_where_motion_is_wanted(server, open_page, motion, moves):
    page = open_page(f"{server}runs/made-run/watch/", reduced_motion=motion)
    frame = frame_of(page)
    frame.click("#play")
    travelled = False
    for _ in range(6):
        frame.click("[data-does=next]")
        travelled |= frame.evaluate("document.getAnimations().length > 0")

    assert moves == travelled


@pytest.mark.parametrize("scripts", [True, False])
def test_what_happened_is_told_with_javascript_and_without(server, open_page, scripts):
    page = open_page(f"{server}runs/made-run/news/", java_script_enabled=scripts)

    assert "The run is complete: 15 games." in page.inner_text("#news li >> nth=0")


def test_what_happens_is_added_without_a_reload(server, growing, open_page, monkeypatch):
    monkeypatch.setattr(live_routes, "LOOK_SECONDS", 0.05)
    growing(3)
    page = open_page(f"{server}runs/growing/news/")
    page.evaluate("document.body.dataset.mark = 'same page'")
    before = page.locator("#news li").count()
    growing(15)
    wait_until(page, lambda: page.locator("#news li").count() > before)

    assert "same page" == page.get_attribute("body", "data-mark")
    assert "Fault of " in page.inner_text("#news")
