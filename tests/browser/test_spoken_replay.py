"""A replay in the browser is marked for translation: with a language in brackets nothing stands outside them."""

from __future__ import annotations

import re

import pytest
from languages.pseudo import pseudo_language, unmarked_in_page
from made_analyses import made_analysis
from made_records import illegal_fault, short_record
from pages import ReplayPage

from tournament.viewer.page import format_html

CARDS = re.compile(r"(10|[2-9JQKA])[CDHS]\b")
TYPED = re.compile(r"play \d+|better than \d+|\b(keep|turn)\b")
"""Words of an analysis that was made for tests, with actions that are none, and words by which actions are typed."""


@pytest.mark.parametrize(("game", "players"), [("scout", 3), ("explorers", 2)])
def test_everything_on_the_page_is_marked(game, players, open_page, tmp_path):
    """At the deal and at the end, with the menu, the help and an analysis; also what its scripts write."""
    record = short_record(game, players, seed=1, faults=[illegal_fault(7, 1)])
    analysis = made_analysis(record, costs={4: (3.0, 1.0), 5: (2.0, 2.5)})
    with pseudo_language():
        (tmp_path / "game.html").write_text(format_html(record, analysis=analysis, back="./"), encoding="utf-8")
    shown = ReplayPage(open_page((tmp_path / "game.html").as_uri()))
    shown.page.wait_for_selector("html[data-judged]", state="attached")
    pages = [shown.page.content()]
    for keys in (["n"], ["End"], ["1"], ["?"]):
        for key in keys:
            shown.press(key)
        pages.append(shown.page.content())
    said = [text for fault in record.faults for text in (fault.detail, fault.answer or "")]
    names = [*(seat.bot for seat in record.seats), record.id, record.tournament, "SCOUT", "De store oppdagere"]

    allowed = [*names, *said, analysis.guide.bot, CARDS, TYPED]
    assert [] == sorted({one for page in pages for one in unmarked_in_page(page, allowed=allowed)})
    assert "de" == shown.page.get_attribute("html", "lang")
