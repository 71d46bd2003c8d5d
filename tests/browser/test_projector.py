"""The projector: large type, two screens, light and dark; it turns by itself and goes on whatever fails."""

from __future__ import annotations

import pytest
from browser.turning import faults_of_slides, game_is_there, slide_of, turned_through
from pages import wait_until
from served_runs import served_runs
from shown_runs import made_run


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """The address of a server of two runs, one of them a knockout, and what ends it."""
    folder = tmp_path_factory.mktemp("runs")
    both = "[{game: explorers, players: 4, options: {move_limit: 40}}, {game: scout, players: 5}]"
    (folder / "of-five").mkdir()
    (folder / "of-ten").mkdir()
    made_run(folder / "of-five", entrants=14, games=both, more="budget: {games: 120}").rename(folder / "both")
    knockout = "schedule: knockout\nbudget: {deals: 1}"
    made_run(folder / "of-ten", entrants=10, more=knockout).rename(folder / "knockout")
    with served_runs(folder) as address:
        yield f"{address}runs/"


@pytest.mark.parametrize(("run", "language"), [("both", "en"), ("knockout", "de")])
def test_every_slide_can_be_read_in_the_last_row_and_is_in_sight(served, open_page, run, language):
    """Light and dark; and what is looked at on a phone or a tablet can be read there."""
    page = open_page(f"{served}{run}/projector/", locale=language)

    assert {} == faults_of_slides(page, "projector")
    assert language == page.get_attribute("html", "lang")


@pytest.mark.parametrize(
    ("run", "slides"),
    [("both", ["board-1", "board-2", "board-3", "game", "news"]), ("knockout", ["bracket-1", "game", "news"])],
)
def test_it_turns_through_standings_bracket_games_and_news(served, open_page, run, slides):
    page = open_page(f"{served}{run}/projector/")
    game_is_there(page)

    assert slides == turned_through(page)


def test_it_turns_by_itself_and_the_space_bar_holds_it(served, open_page):
    page = open_page(f"{served}both/projector/?seconds=10")
    page.clock.install()
    page.reload()
    first = slide_of(page)
    page.clock.run_for(10_500)
    second = slide_of(page)
    page.keyboard.press(" ")
    page.clock.run_for(60_000)
    held = (slide_of(page), page.is_visible("#held"))
    page.keyboard.press(" ")
    page.clock.run_for(10_500)

    assert ("board-1", "board-2") == (first, second)
    assert ("board-2", True) == held
    assert "board-3" == slide_of(page)


@pytest.mark.parametrize(("asked", "seconds"), [("1", 5), ("99999", 600), ("nonsense", 20), ("", 20)])
def test_the_pace_is_kept_within_reason(served, open_page, asked, seconds):
    page = open_page(f"{served}both/projector/?seconds={asked}")

    assert str(seconds) == page.get_attribute("html", "data-seconds")


def test_keys_pressed_on_the_game_turn_too(served, open_page):
    page = open_page(f"{served}knockout/projector/")
    game_is_there(page)
    page.keyboard.press("ArrowRight")
    shown = slide_of(page)
    page.frames[-1].locator("body").press("ArrowRight")
    wait_until(page, lambda: slide_of(page) == "news")

    assert "game" == shown


def test_the_game_stops_while_it_is_not_on_show_and_goes_on_later(served, open_page):
    page = open_page(f"{served}knockout/projector/")
    game_is_there(page)
    frame = page.frames[-1]
    page.keyboard.press("ArrowRight")
    wait_until(page, lambda: int(frame.input_value("#slider")) >= 1)
    page.keyboard.press("ArrowRight")
    wait_until(page, lambda: frame.get_attribute("#play", "aria-label") == "play")
    place = int(frame.input_value("#slider"))
    page.keyboard.press("ArrowLeft")
    wait_until(page, lambda: int(frame.input_value("#slider")) > place)

    assert place >= 1


def test_it_turns_on_while_the_server_is_away(served, browser):
    """What it cannot read anew it shows as it was."""
    context = browser.new_context(viewport={"width": 1366, "height": 768})
    page = context.new_page()
    page.goto(f"{served}both/projector/")
    game_is_there(page)
    page.route("**/*", lambda route: route.abort())
    first, second = turned_through(page), turned_through(page)
    context.close()

    assert first == second
    assert len(first) > 1


def test_a_game_that_does_not_come_is_passed_over(served, browser):
    context = browser.new_context(viewport={"width": 1366, "height": 768})
    page = context.new_page()
    page.route("**/watch/games/**", lambda route: route.abort())
    page.goto(f"{served}both/projector/")
    slides = turned_through(page)
    context.close()

    assert ["board-1", "board-2", "board-3", "news"] == slides


def test_without_javascript_all_is_on_one_page_which_is_loaded_again(served, open_page):
    page = open_page(f"{served}both/projector/", java_script_enabled=False)

    assert 3 == page.locator(".slide .board:visible").count()
    assert 1 == page.locator("meta[http-equiv=refresh]").count()


def test_the_pages_of_a_run_lead_to_it(served, open_page):
    page = open_page(f"{served}both/")
    page.click("nav.bar a:text-is('Projector')")
    page.wait_for_selector(".slide.on")

    assert page.url.endswith("/projector/")
