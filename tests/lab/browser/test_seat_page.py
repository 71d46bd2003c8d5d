"""A seat at the table in a browser, as people use it on a phone and at a desk."""

from __future__ import annotations

from random import Random

import pytest
from made_tables import MadeTable, served
from seat_pages import PHONE, SeatPage

from tournament.replaying.positions import Replay
from tournament.viewer.actions import short_text


def moves_of(record, seat):
    """Returns the actions of a seat in short words."""
    walk = Replay.from_record(record)
    events = [walk.event_at(step) for step in range(1, walk.last + 1)]
    return [short_text(event.action) for event in events if event.seat == seat]


def play(shown, made, choose):
    """Plays a game to its end by a way to choose; returns the words of what was meant."""
    rng, meant = Random(2), []
    while not shown.is_over:
        sheet = made.sheets(0)[-1]
        place = int(rng.random() * len(sheet["choices"]))
        meant.append(sheet["choices"][place]["words"])
        choose(place, sheet["choices"][place])
        shown.wait()
    made._thread.join(20)
    return meant


def goal_of(choice):
    return choice["to"] or f"gap {choice['gap']}"


@pytest.mark.parametrize("game", ["scout", "explorers"])
def test_a_whole_game_is_played_by_taps_on_a_phone(game, open_page):
    """Each card, and then the place where it goes; a button only where both mean several actions, or none."""
    made = MadeTable(game, players=2, people=(0,))
    buttons = []
    with served(made) as links:
        shown = SeatPage(open_page(links[0], **PHONE))

        def choose(place, choice):
            for spot in choice["takes"]:
                shown.tap(spot)
            if choice["takes"] and choice["to"] != "hand":
                shown.tap(goal_of(choice))
            if not shown.has_chosen():
                buttons.append(choice["words"])
                shown.press_choice(place)

        meant = play(shown, made, choose)

    assert meant == moves_of(made.record, 0)
    assert len(buttons) < len(meant)
    assert "Place 1: " in shown.text("ending")


@pytest.mark.long
def test_a_whole_game_is_played_by_keyboard(open_page):
    made = MadeTable("scout", players=2, people=(0,))
    with served(made) as links:
        shown = SeatPage(open_page(links[0]))

        def choose(place, choice):
            for _ in range(place + 1):
                shown.page.keyboard.press("ArrowRight")
            assert choice["words"] == shown.page.get_attribute("#offered button", "data-words")
            shown.page.keyboard.press("Enter")

        meant = play(shown, made, choose)

    assert meant == moves_of(made.record, 0)


@pytest.mark.long
@pytest.mark.parametrize("game", ["scout", "explorers"])
def test_a_whole_game_is_played_by_dragging(game, open_page):
    """The last card that is taken is dragged to the place where it goes, the others are touched before."""
    made = MadeTable(game, players=2, people=(0,))
    dragged = []
    with served(made) as links:
        shown = SeatPage(open_page(links[0], viewport={"width": 900, "height": 900}))

        def choose(place, choice):
            if choice["takes"]:
                *others, last = choice["takes"]
                for spot in others:
                    shown.page.mouse.click(*shown.middle(spot))
                shown.drag(last, goal_of(choice))
            if not shown.has_chosen():
                shown.press_choice(place)
            else:
                dragged.append(choice["words"])

        meant = play(shown, made, choose)

    assert meant == moves_of(made.record, 0)
    assert len(dragged) > len(meant) / 3


SIZES = [(360, 640), (1366, 768)]


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize(("game", "players"), [("scout", 5), ("explorers", 4)])
def test_with_everybody_at_the_table_all_is_in_view_and_ones_own_cards_are_large(game, players, size, open_page):
    """Without scrolling, from the first move on: the table, every seat and the bar with the move."""
    made = MadeTable(game, players=players, people=(0,))
    found = []
    with served(made) as links:
        shown = SeatPage(open_page(links[0], viewport={"width": size[0], "height": size[1]}, has_touch=True))
        for _ in range(6):
            found += shown.faults_of_layout()
            sheet = made.sheets(0)[-1]
            made.table.act(0, number=sheet["number"], choice=0)
            shown.wait()

    assert [] == found
