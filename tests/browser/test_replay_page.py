"""The one-file replay in a browser, as people use it."""

from __future__ import annotations

import pytest
from made_records import illegal_fault, random_record, short_record
from msgspec import to_builtins
from pages import LOOKS, ReplayPage, serious_faults, wait_until, wider_than_the_screen

from tournament.replaying.positions import Replay
from tournament.viewer.frames import ALL, Audience, frames_of
from tournament.viewer.page import format_html, write_html

GAMES = {
    "scout": lambda: short_record("scout", 3, 3, faults=(illegal_fault(9, 2),)),
    "explorers": lambda: short_record("explorers", 2, 4, stock=12),
}


@pytest.fixture(scope="module", params=GAMES)
def game(request, tmp_path_factory):
    """A game of each kind: its record, its frames and its page."""
    record = GAMES[request.param]()
    path = tmp_path_factory.mktemp("replay") / "game.html"
    write_html(record, path)
    return record, frames_of(Replay.from_record(record)), path.as_uri()


def test_a_whole_game_can_be_walked_by_keyboard_and_back_to_the_very_start(game, open_page):
    """Every step says what its frame says, and going back ends where it began."""
    _, frames, address = game
    shown = ReplayPage(open_page(address))
    start = shown.table
    said = []
    for _ in frames:
        said.append((shown.text("where"), shown.text("words")))
        shown.press("ArrowRight")
    ending = shown.text("ending")
    shown.press("ArrowLeft", times=len(frames) - 1)

    assert [(frame.where, frame.seen[ALL].words) for frame in frames] == said
    assert "".join(frames[len(frames) - 1].ending) == ending
    assert (0, start) == (shown.step, shown.table)


def test_a_whole_game_can_be_walked_with_the_mouse_and_back(game, open_page):
    """Buttons do what keys do."""
    _, frames, address = game
    shown = ReplayPage(open_page(address))
    start, last = shown.table, len(frames) - 1
    shown.click("[data-does=next]", last)
    end = shown.table
    shown.page.click("[data-does=first]")
    begun = shown.table
    shown.page.click("[data-does=last]")
    shown.click("[data-does=back]", last)

    assert (start, start) == (begun, shown.table)
    assert end != start


def test_turns_rounds_and_marks_are_jumped_to(open_page, tmp_path):
    """models.md 4b, 2 and 14: coarser steps, and faults and round ends."""
    record = GAMES["scout"]()
    frames = frames_of(Replay.from_record(record))
    write_html(record, tmp_path / "game.html")
    shown = ReplayPage(open_page((tmp_path / "game.html").as_uri()))
    stops = {}
    for forward, back, steps in (("]", "[", frames.turns), ("}", "{", frames.rounds[1:]), ("n", "N", ())):
        wanted = [step for step in steps if step > 0] or sorted({mark.step for mark in frames.marks})
        shown.press("Home")
        there = []
        for _ in wanted:
            shown.press(forward)
            there.append(shown.step)
        shown.press(back)
        stops[forward] = (wanted, there, shown.step < there[-1])

    assert {key: (wanted, wanted, True) for key, (wanted, _, _) in stops.items()} == stops


def test_each_view_shows_the_hands_it_may_know(game, open_page):
    """models.md 4b, 4: all cards, the public, each seat; always labelled."""
    record, _, address = game
    shown = ReplayPage(open_page(f"{address}#step=5"))
    players = record.game.players
    known = {}
    for key in ("a", "p", *map(str, range(players))):
        shown.press(key)
        known[shown.view] = [seat for seat in range(players) if shown.hand(seat).startswith("hand of")]
    shown.press("a")
    shown.press("v")

    assert {
        "all": list(range(players)),
        "public": [],
        **{f"seat{seat}": [seat] for seat in range(players)},
    } == known
    assert "public" == shown.view


def test_a_link_leads_to_its_step_and_view(game, open_page):
    """models.md 4b, 7: the fragment is read at the start and when it changes, and written without history."""
    _, frames, address = game
    shown = ReplayPage(open_page(f"{address}#step=12&view=seat1"))
    before = shown.page.evaluate("history.length")
    first = (shown.step, shown.view, shown.text("words"))
    shown.press("ArrowRight")
    written = shown.page.url.rpartition("#")[2]
    shown.page.evaluate("location.hash = '#step=3&view=public'")
    wait_until(shown.page, lambda: shown.step == 3)

    assert (12, "seat1", frames[12].seen[Audience(seat=1)].words) == first
    assert "step=13&view=seat1" == written
    assert (3, "public") == (shown.step, shown.view)
    assert before + 1 == shown.page.evaluate("history.length")  # the one of the changed fragment


def test_a_link_to_nowhere_stays_inside_the_game(game, open_page):
    """models.md 4b, 3: steps are clamped, an unknown view is passed over."""
    _, frames, address = game
    shown = ReplayPage(open_page(f"{address}#step=99999&view=seat9"))

    assert (len(frames) - 1, "all") == (shown.step, shown.view)


def test_a_game_plays_on_its_own_until_a_hand_stops_it(game, open_page):
    """models.md 4a: Space plays and stops, + is faster, any step by hand stops."""
    _, _, address = game
    shown = ReplayPage(open_page(address))
    for _ in range(3):
        shown.press("+")
    speed = shown.text("speed")
    shown.press(" ")
    wait_until(shown.page, lambda: shown.step >= 3)
    shown.press("ArrowLeft")
    stopped = shown.page.get_attribute("#play", "aria-label")

    assert ("8/s", "play") == (speed, stopped)


def test_playing_stops_at_the_end_and_begins_again(game, open_page):
    """models.md 4a: at the end playing stops; asked again it starts over."""
    _, frames, address = game
    shown = ReplayPage(open_page(f"{address}#step={len(frames) - 2}"))
    shown.press("+", times=3)
    shown.press(" ")
    shown.page.wait_for_selector("#play[aria-label=play]")
    ended = shown.step
    shown.press(" ")
    wait_until(shown.page, lambda: shown.step <= 3)

    assert len(frames) - 1 == ended


def test_numbers_events_and_the_slider_go_to_their_step(game, open_page):
    """models.md 4b, 1: by number, by the event list, by the slider, whose own keys work too."""
    _, _, address = game
    shown = ReplayPage(open_page(address))
    shown.press("g")
    shown.page.keyboard.type("7")
    shown.press("Enter")
    by_number = shown.step
    shown.page.click("#events button[data-step='4']")
    by_event = shown.step
    shown.press("ArrowDown")
    down = shown.step
    shown.page.focus("#slider")
    shown.press("ArrowRight")
    by_slider = shown.step
    shown.press("End")

    assert (7, 4, 5, 6) == (by_number, by_event, down, by_slider)
    assert shown.page.get_attribute("#slider", "max") == str(shown.step)


def test_keys_of_a_focused_button_and_of_the_browser_are_left_alone(game, open_page):
    """models.md 4a: on a button only Space and Enter are its own; keys with a modifier are the browser's."""
    _, _, address = game
    shown = ReplayPage(open_page(address))
    shown.page.focus("[data-does=next]")
    shown.press("Enter")
    by_enter = shown.step
    shown.press("ArrowRight")
    by_arrow = shown.step
    shown.press("Control+ArrowRight")

    assert (1, 2, 2) == (by_enter, by_arrow, shown.step)


@pytest.mark.parametrize("width", [1280, 360])
def test_the_current_event_is_marked_and_in_sight(game, open_page, width):
    """models.md 4b, 5: the current line is marked and scrolled into view."""
    _, frames, address = game
    shown = ReplayPage(open_page(address, viewport={"width": width, "height": 800}))
    seen = []
    for key, step in (("End", len(frames) - 1), ("ArrowLeft", len(frames) - 2), ("Home", 0)):
        shown.press(key)
        line = shown.page.locator("#events [aria-current=step]")
        list_box, box = shown.page.locator("#events").bounding_box(), line.bounding_box()
        inside = list_box["y"] - 1 <= box["y"] and box["y"] + box["height"] <= list_box["y"] + list_box["height"] + 1
        seen.append((line.get_attribute("data-step") == str(step), inside))

    assert [(True, True)] * 3 == seen


def test_points_are_drawn_over_the_whole_game_and_a_click_goes_to_a_step(game, open_page):
    """models.md 4b, 14: where the game was won; one line a seat, named at its end."""
    record, frames, address = game
    shown = ReplayPage(open_page(address))
    shown.page.wait_for_selector("#chart svg")
    ends = shown.page.locator(".chart-end").all_text_contents()
    shown.page.locator("#chart svg").evaluate("chart => chart.scrollIntoView({block: 'center'})")
    box = shown.page.locator(".chart-zero, .chart-grid").first.bounding_box()
    shown.page.mouse.click(box["x"] + box["width"] / 2, box["y"] - 3)

    assert list(map(str, range(record.game.players))) == ends
    assert abs(shown.step - (len(frames) - 1) / 2) <= 1


def test_help_lists_the_keys_and_closes_as_it_opened(game, open_page):
    """models.md 4b, 10: from the same key table; ? and Escape close it."""
    _, _, address = game
    shown = ReplayPage(open_page(address))
    shown.press("?")
    listed = shown.page.locator("#keys tr").count()
    words = shown.text("keys")
    shown.press("?")
    closed = shown.page.locator("#help[open]").count()
    shown.press("?")
    shown.press("Escape")

    assert (listed > 15, "next fault or end of a round" in words, 0) == (True, True, closed)
    assert 0 == shown.page.locator("#help[open]").count()


def test_each_step_is_read_out_once_with_its_number(game, open_page):
    """models.md 4b, 11: one polite region, the number making equal steps different."""
    _, frames, address = game
    shown = ReplayPage(open_page(address))
    shown.press("ArrowRight")
    region = shown.page.locator("#live")

    assert region.text_content().startswith(f"{frames[1].where}: {frames[1].seen[ALL].words}")
    assert ("status", "polite", "true") == tuple(
        region.get_attribute(name) for name in ("role", "aria-live", "aria-atomic")
    )


def test_the_first_step_is_drawn_before_the_others_are_unpacked(browser, tmp_path):
    """The page is usable before all frames are unpacked."""
    record = random_record("scout", 5, 1)
    write_html(record, tmp_path / "game.html")
    page = tmp_path / "game.html"
    page.write_text(page.read_text().replace('id="frames-data">', 'id="frames-data">!'))  # nothing can be unpacked
    tab = browser.new_context().new_page()
    tab.goto(page.as_uri())
    tab.wait_for_selector("#trouble:not([hidden])")
    shown = (tab.text_content("#where"), tab.locator("#table .seat").count(), tab.text_content("#trouble"))
    tab.context.close()

    assert ("step 0 of 904, round 0", 5) == shown[:2]
    assert shown[2].startswith("Only the first step can be shown")


def test_the_link_to_a_step_can_be_copied(game, open_page):
    """models.md 4b, 7: a link that leads to the same step and view."""
    _, _, address = game
    page = open_page(f"{address}#step=4&view=public", permissions=["clipboard-read", "clipboard-write"])
    page.click("#menu-button")
    page.click("#copy-link")
    wait_until(page, lambda: page.text_content("#copy-link") == "Copied")

    assert f"{address}#step=4&view=public" == page.evaluate("navigator.clipboard.readText()")


def test_a_printed_page_has_the_step_and_all_events_and_no_buttons(game, open_page):
    _, frames, address = game
    page = open_page(f"{address}#step=4")
    page.emulate_media(media="print")

    assert len(frames) == page.locator("#events button:visible").count()
    assert page.is_visible("#table .card >> nth=0")
    assert not page.is_visible("#play")


def test_the_menu_opens_and_closes_and_holds_what_the_bar_does_not(game, open_page):
    """Four arrows and play in the bar; turns, rounds, marks, speed, a step by its number and the rest in the menu."""
    page = open_page(game[2])
    in_bar = [button.get_attribute("data-does") for button in page.query_selector_all("#bar [data-does]")]
    before = page.is_visible("#menu")
    page.click("#menu-button")
    page.click("[data-does=next_turn]")
    opened = page.is_visible("#go")
    page.keyboard.press("Escape")

    assert ["first", "back", "play", "next", "last"] == in_bar
    assert (False, True, False) == (before, opened, page.is_visible("#menu"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_serious_fault_in_the_menu(game, open_page, scheme):
    page = open_page(game[2], color_scheme=scheme, viewport={"width": 360, "height": 640})
    page.click("#menu-button")

    assert ([], False) == (serious_faults(page), wider_than_the_screen(page))


MOVING = "document.getAnimations().filter(one => one.effect.target.matches('.slot')).length"


def test_cards_travel_to_the_step_beside_and_neither_to_one_far_away_nor_in_another_view(game, open_page):
    """One follows a card with the eye; after a jump there is nothing to follow."""
    shown = ReplayPage(open_page(f"{game[2]}#step=5", reduced_motion="no-preference"))
    moving = {}
    for key in ("ArrowRight", "ArrowLeft", "End", "p", "Home"):
        shown.press(key)
        moving[key] = shown.page.evaluate(MOVING) > 0
        shown.page.evaluate("document.getAnimations().forEach(one => one.finish())")

    assert {"ArrowRight": True, "ArrowLeft": True, "End": False, "p": False, "Home": False} == moving


def test_nothing_travels_where_motion_is_not_wanted(game, open_page):
    shown = ReplayPage(open_page(f"{game[2]}#step=5", reduced_motion="reduce"))
    shown.press("ArrowRight", times=3)

    assert 0 == shown.page.evaluate(MOVING)


def test_a_card_that_is_played_travels_from_its_hand_to_the_table(open_page, tmp_path):
    """It begins where it lay in the hand, as large as it was there, and ends in its place on the table."""
    record = GAMES["scout"]()
    step = next(step for step, move in enumerate(record.moves, 1) if hasattr(move, "count"))
    write_html(record, tmp_path / "game.html")
    address = f"{(tmp_path / 'game.html').as_uri()}#step={step - 1}"
    shown = ReplayPage(open_page(address, reduced_motion="no-preference"))
    hand = shown.page.locator(f"[data-seat='{record.moves[step - 1].seat}'] .card").all()
    places = {card.get_attribute("data-card"): card.bounding_box() for card in hand}
    shown.press("ArrowRight")
    shown.page.evaluate("document.getAnimations().forEach(one => { one.pause(); one.currentTime = 0; })")
    card = shown.page.locator(".centre .card").first
    began = card.bounding_box()
    shown.page.evaluate("document.getAnimations().forEach(one => one.finish())")
    there = places[card.get_attribute("data-card")]

    assert all(abs(began[side] - there[side]) < 1.5 for side in ("x", "y", "width"))
    assert abs(card.bounding_box()["y"] - there["y"]) > 20


FLYING = """() => [...document.querySelectorAll(".flies")].map((one) => {
  const [moving] = one.getAnimations();
  moving.pause();
  moving.currentTime = moving.effect.getTiming().duration - 1;
  return [one.firstElementChild.dataset.card, one.getBoundingClientRect().toJSON()];
})"""


def first_capture(record):
    """Returns the first step of a game of SCOUT at which a set is beaten, and the cards that it had."""
    before = []
    for step, frame in enumerate(frames_of(Replay.from_record(record))):
        news = frame.seen[ALL].news[-1] if frame.seen[ALL].news else None
        if before and getattr(news, "do", None) == "play":
            return step, before
        before = list(to_builtins(frame.seen[ALL].view)["table"])
    raise AssertionError("no set was beaten")


@pytest.mark.parametrize("view", ["all", "public"])
def test_a_set_that_is_beaten_flies_to_the_pile_of_who_beat_it_and_back(open_page, tmp_path, view):
    """With hands shown and hidden."""
    record = GAMES["scout"]()
    step, beaten = first_capture(record)
    write_html(record, tmp_path / "game.html")
    address = f"{(tmp_path / 'game.html').as_uri()}#step={step - 1}&view={view}"
    shown = ReplayPage(open_page(address, reduced_motion="no-preference"))
    lying = shown.page.locator(".centre .card").evaluate_all("all => all.map((one) => one.dataset.card)")
    shown.press("ArrowRight")
    flying = shown.page.evaluate(FLYING)
    pile = shown.page.locator(f"[data-seat='{record.moves[step - 1].seat}'] [data-captured]").bounding_box()
    shown.page.evaluate("document.getAnimations().forEach(one => one.finish())")
    shown.page.wait_for_selector(".flies", state="detached")
    shown.press("ArrowLeft")
    back = shown.page.evaluate("document.querySelectorAll('.centre .slot.travels').length")

    assert sorted(lying) == sorted(card for card, _ in flying)
    assert len(beaten) == len(lying) == back
    for _, box in flying:
        assert pile["x"] - 2 <= box["x"] <= pile["x"] + pile["width"]
        assert abs(box["y"] - pile["y"]) < 3


def test_a_card_that_is_taken_from_a_pile_flies_to_a_hand_that_is_hidden(open_page, tmp_path):
    record = random_record("explorers", 2, 1)
    drawn = [step for step, move in enumerate(record.moves, 1) if getattr(move, "source", "stock") != "stock"]
    step = drawn[0]
    write_html(record, tmp_path / "game.html")
    address = f"{(tmp_path / 'game.html').as_uri()}#step={step - 1}&view=public"
    shown = ReplayPage(open_page(address, reduced_motion="no-preference"))
    shown.press("ArrowRight")
    flying = shown.page.evaluate(FLYING)
    hand = shown.page.locator(f"[data-seat='{record.moves[step - 1].seat}'] .backs").bounding_box()

    assert [record.moves[step - 1].source] == [card[-1] for card, _ in flying]
    assert all(hand["x"] <= box["x"] <= hand["x"] + hand["width"] for _, box in flying)


@LOOKS
def test_axe_finds_no_serious_fault_and_nothing_is_cut_off(game, open_page, scheme, width):
    """Light and dark, desktop and phone."""
    _, _, address = game
    page = open_page(f"{address}#step=9", color_scheme=scheme, viewport={"width": width, "height": 800})
    shown = ReplayPage(page)
    faults = serious_faults(page)
    wide = wider_than_the_screen(page)
    shown.press("?")

    assert ([], False) == (faults, wide)
    assert [] == serious_faults(page)


def test_the_theme_can_be_chosen(game, open_page):
    """models.md 4b, 11: the system's scheme, and a switch."""
    _, _, address = game
    page = open_page(address, color_scheme="dark")
    colour = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(colour)
    page.click("#menu-button")
    page.click("#theme")
    light = page.evaluate(colour)

    assert "rgb(20, 23, 26)" == dark
    assert "rgb(244, 239, 230)" == light


def test_what_bots_write_is_text_and_never_markup(open_page, tmp_path):
    """A bot called </script><img onerror=...> is a name like any other."""
    name = "</script><img src=x onerror=alert(1)>"
    fault = illegal_fault(3, 1, detail=f"play: {name}", answer=f"{name}<!--")
    record = short_record("scout", 3, 3, faults=(fault,), names=(name, f"{name}2", "gamma"))
    write_html(record, tmp_path / "game.html")
    shown = ReplayPage(open_page(f"{(tmp_path / 'game.html').as_uri()}#step=3"))

    assert 0 == shown.page.locator("img").count()
    assert name == shown.page.text_content("[data-seat='0'] h3")
    assert f"{name}<!--" in shown.text("faults")


def test_a_game_without_a_drawing_is_shown_by_what_its_views_say(open_page, tmp_path):
    """Third-party games work: seats, points and the fields of each view."""
    page = format_html(GAMES["explorers"]()).replace('"game":"explorers","id"', '"game":"of-my-own","id"')
    (tmp_path / "game.html").write_text(page)
    shown = ReplayPage(open_page(f"{(tmp_path / 'game.html').as_uri()}#step=3"))

    assert "of-my-own" in page
    assert '"pile_draws"' in shown.page.text_content("#table .centre pre")
    assert '"hand"' in shown.page.text_content("[data-seat='1'] pre")


def test_the_record_can_be_taken_out_of_the_page(game, open_page):
    """models.md 4b, 8: downloadable, in the export with all cards only; it is the record."""
    record, _, address = game
    page = open_page(address)
    page.click("#menu-button")
    with page.expect_download() as waiting:
        page.click("#download")
    from tournament.records.codec import format_record

    assert format_record(record) + b"\n" == waiting.value.path().read_bytes()


def test_a_page_for_one_seat_offers_no_other_view_and_no_record(open_page, tmp_path):
    """A seat export has that seat's view and nothing else."""
    record = GAMES["scout"]()
    write_html(record, tmp_path / "game.html", audience=Audience(seat=1))
    shown = ReplayPage(open_page((tmp_path / "game.html").as_uri()))
    shown.press("a")
    shown.press("2")

    assert ["seat1"] == [button.get_attribute("data-view") for button in shown.page.query_selector_all("#views button")]
    assert "seat1" == shown.view
    assert not shown.page.is_visible("#download")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_without_its_script_a_page_tells_who_won_and_what_happened(game, browser, scheme):
    """In words, on a phone, too; nothing that only works with the script is shown."""
    _, frames, address = game
    context = browser.new_context(
        java_script_enabled=False, color_scheme=scheme, viewport={"width": 360, "height": 640}
    )
    page = context.new_page()
    page.goto(address)
    ending = page.locator(".told-game ul li").all_text_contents()
    told = page.locator(".told-game ol li").all_text_contents()
    shown = [page.is_visible(place) for place in ("#bar", "#table", "#views")]
    context.close()

    assert list(frames[len(frames) - 1].ending) == ending
    assert [" ".join((frame.seen[ALL].words, *frame.seen[ALL].faults)) for frame in frames] == told
    assert [False, False, False] == shown


def test_a_page_for_one_seat_tells_without_its_script_what_that_seat_knew(tmp_path):
    record = GAMES["explorers"]()
    write_html(record, tmp_path / "game.html", audience=Audience(seat=1))
    frames = frames_of(Replay.from_record(record), Audience(seat=1))
    page = (tmp_path / "game.html").read_text()

    assert all(f"<li>{frame.seen[Audience(seat=1)].words}</li>" in page for frame in frames)
    assert "draws a card from the stock." in page
