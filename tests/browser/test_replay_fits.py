"""The replay is laid out to the window: seats, table and bar are in sight at every step, and hands can be read."""

from __future__ import annotations

from pathlib import Path

import pytest
from layout_of_pages import faults_of_layout, faults_of_page
from made_records import random_record
from pages import ReplayPage, wait_for_replay

from tournament.languages import Language, speaking
from tournament.records.codec import parse_record
from tournament.viewer.page import write_html

GOLDEN = Path(__file__).parents[2] / "records" / "golden"
SIZES = [(360, 640), (390, 844), (768, 1024), (1366, 768), (1920, 1080)]
PHONE = {"width": SIZES[0][0], "height": SIZES[0][1]}
LEAST_DIGIT = 12
"""Pixels, of the digits in the hands of who acted and who is next."""

FAULTS_OF_EACH_STEP = (Path(__file__).parent / "faults_of_layout.js").read_text(encoding="utf-8")


def longest_golden(game: str, players: str = "*") -> str:
    """Returns the name of the golden game with the most moves."""
    paths = GOLDEN.glob(f"{game}-{players}p-*.json")
    return max(paths, key=lambda path: (len(parse_record(path.read_bytes().strip()).moves), path.name)).stem


GAMES = sorted(
    {
        longest_golden("scout"),
        longest_golden("scout", "5"),
        longest_golden("explorers"),
        longest_golden("explorers", "4"),
    }
)


def faults_of_steps(open_page, folder, name, size, *, first=0, every=1, audience="all", **options):
    """Returns what is out of sight, covered or too small in a golden game, at every step or at some."""
    write_html(parse_record((GOLDEN / f"{name}.json").read_bytes().strip()), folder / "game.html")
    address = f"{(folder / 'game.html').as_uri()}#view={audience}"
    page = open_page(address, viewport={"width": size[0], "height": size[1]}, **options)
    ReplayPage(page)
    return page.evaluate(FAULTS_OF_EACH_STEP, [first, every, LEAST_DIGIT])


@pytest.mark.long
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", GAMES)
def test_every_step_of_the_longest_games_fits_the_window(open_page, tmp_path, name, size):
    """Nothing is outside, nothing is covered, every digit of the hands that matter can be read."""
    assert [] == faults_of_steps(open_page, tmp_path, name, size)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", GAMES)
def test_steps_all_over_the_longest_games_fit_the_window(open_page, tmp_path, name, size):
    """The same at each thirtieth step, and at the last."""
    last = len(parse_record((GOLDEN / f"{name}.json").read_bytes().strip()).moves)

    assert [] == faults_of_steps(open_page, tmp_path, name, size, first=last % 30, every=30)


@pytest.mark.parametrize("audience", ["public", "seat1"])
@pytest.mark.parametrize("name", [longest_golden("scout", "5"), longest_golden("explorers", "4")])
def test_other_views_fit_a_phone_too(open_page, tmp_path, name, audience):
    """Backs in place of hands, and one's own hand as large as that of who is next."""
    assert [] == faults_of_steps(open_page, tmp_path, name, SIZES[0], first=5, every=40, audience=audience)


def starts_expeditions(state, legal):
    """Chooses to start another expedition wherever that is possible, as nobody does who wants to win."""
    return [one for one in legal if one.do == "start"] or [one for one in legal if one.do != "build"] or legal


@pytest.mark.parametrize(("players", "each", "points"), [(3, 24, 0), (4, 16, 64)])
def test_as_many_expeditions_as_there_can_be_fit_a_phone(open_page, tmp_path, players, each, points):
    """At the last steps. Where there is no room for the points of each, screen readers still hear them."""
    record = random_record("explorers", players, 1, prefer=starts_expeditions)
    write_html(record, tmp_path / "game.html")
    page = open_page((tmp_path / "game.html").as_uri(), viewport=PHONE)
    wait_for_replay(page)
    faults = page.evaluate(FAULTS_OF_EACH_STEP, [len(record.moves) - 20, 5, LEAST_DIGIT])
    laid = [seat.locator(".expedition").count() for seat in page.locator(".seat").all()]

    assert [] == faults
    assert each == min(laid)
    assert points == page.locator(".worth:visible").count()
    assert "point" in page.locator(".expedition [aria-label]").first.get_attribute("aria-label")


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_the_longest_games_fit_in_german_and_text_can_be_read_in_the_middle_and_at_the_end(open_page, tmp_path, name):
    """On a phone at each fifth step; text at every size, light and dark."""
    record = parse_record((GOLDEN / f"{name}.json").read_bytes().strip())
    with speaking(Language.GERMAN):
        write_html(record, tmp_path / "game.html")
    address = (tmp_path / "game.html").as_uri()
    page = open_page(f"{address}#step={len(record.moves) // 2}", viewport=PHONE)
    wait_for_replay(page)
    middle = faults_of_layout(page)
    walked = page.evaluate(FAULTS_OF_EACH_STEP, [0, 5, LEAST_DIGIT])
    page.evaluate(f"location.hash = 'step={len(record.moves)}'")

    assert [] == walked
    assert ([], []) == (middle, faults_of_page(page, f"replay-{name}", axe=False))


def test_the_layout_is_the_same_in_the_dark(open_page, tmp_path):
    """Colours change, places do not."""
    name = longest_golden("scout", "5")

    assert [] == faults_of_steps(open_page, tmp_path, name, SIZES[3], first=9, every=60, color_scheme="dark")


def test_what_is_out_of_sight_or_too_small_would_be_found(open_page, tmp_path):
    """The other side of these tests: in a window for which nothing was planned they find faults."""
    found = faults_of_steps(open_page, tmp_path, longest_golden("scout", "5"), (240, 300), first=100, every=200)

    assert [] != [fault for fault in found if "not in the window" in fault]
