"""The page of a seat late in a game, where hands are longest and most is laid: all is in view, also at the end."""

from __future__ import annotations

import pytest
from made_tables import MadeTable, by_chance, served
from seat_pages import SeatPage

SIZES = [(360, 640), (1366, 768)]


def words_of(sheet):
    return [choice["words"] for choice in sheet["choices"]]


def any_choice(sheet):
    """Chooses in a way that has no plan, so that everybody has a dozen expeditions in the end."""
    return sheet["number"] * 7 % len(sheet["choices"])


def scouts(sheet):
    """Scouts whatever can be scouted, so that the hand grows."""
    return next((place for place, words in enumerate(words_of(sheet)) if words.startswith("scout")), 0)


def stock_is_short(view):
    return view["stock"] < 5


def hand_is_long(view):
    return len(view["hand"]) > 14


def faults_at(shown, size):
    """Returns what is out of view, or too small to be touched, in a window of a size."""
    shown.page.set_viewport_size({"width": size[0], "height": size[1]})
    shown.page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
    return [f"{size}: {fault}" for fault in shown.faults_of_layout()]


@pytest.mark.parametrize(
    ("game", "players", "choose", "is_late"),
    [
        pytest.param("explorers", 4, any_choice, stock_is_short, id="explorers"),
        pytest.param("scout", 5, scouts, hand_is_long, id="scout", marks=pytest.mark.long),
    ],
)
def test_late_in_a_game_and_at_its_end_all_is_in_view(game, players, choose, is_late, open_page):
    """In German, whose words are longer."""
    made = MadeTable(game, players=players, people=(0,), decide=by_chance, hints=False)
    with served(made) as links:
        sheet = made.turn(0)
        while not is_late(sheet["frame"]["seen"]["seat0"]["view"]):
            made.table.act(0, number=sheet["number"], choice=choose(sheet))
            sheet = made.turn(0, after=sheet["number"])
            assert not sheet["over"], "the game has no such moment"
        shown = SeatPage(open_page(links[0], locale="de", has_touch=True))
        found = [fault for size in SIZES for fault in faults_at(shown, size)]
        made.play_to_the_end(choose=choose)
        while not shown.is_over:
            shown.wait()
        found += [fault for size in SIZES for fault in faults_at(shown, size)]

    assert [] == found
