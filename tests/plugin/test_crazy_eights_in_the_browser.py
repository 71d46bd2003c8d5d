"""Crazy Eights played by a person in the browser: by touching its cards, or by buttons where there is no drawing."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "lab" / "browser"))

from made_tables import MadeTable, served
from seat_pages import PHONE, SeatPage

from tournament.auditing import audit
from tournament.records.codec import format_record
from tournament.viewer.page import drawing_script


def test_a_whole_game_is_played_on_the_cards_of_its_drawing(installed, open_page, tmp_path):
    """A touched card shows what may be done with it: of an eight, a button for each suit."""
    made = MadeTable(installed.name, players=2, people=(1,), hints=False)
    with served(made) as links:
        shown = SeatPage(open_page(links[1], **PHONE))
        while not shown.is_over:
            choices = made.sheets(1)[-1]["choices"]
            for spot in choices[-1]["takes"]:
                shown.tap(spot)
            shown.press_choice(len(choices) - 1)
            shown.wait()
        made._thread.join(20)
    (tmp_path / "game.json").write_bytes(format_record(made.record))

    assert any(move.seat == 1 for move in made.record.moves)
    assert () == tuple(audit(tmp_path / "game.json").findings)


def test_without_a_drawing_all_choices_are_buttons(installed, open_page, monkeypatch):
    """Below no headings, for the game names none."""
    monkeypatch.delattr(type(installed.parts()), "page_function")
    drawing_script.cache_clear()
    made = MadeTable(installed.name, players=2, people=(1,), hints=False)
    with served(made) as links:
        shown = SeatPage(open_page(links[1], **PHONE))
        choices = made.sheets(1)[-1]["choices"]
        buttons = shown.page.locator("#all > button:visible").count()
        shown.page.click(f"#all [data-choice='{len(choices) - 1}']")
        shown.wait()
    drawing_script.cache_clear()

    assert len(choices) == buttons
