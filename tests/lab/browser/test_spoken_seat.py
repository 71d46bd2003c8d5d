"""The page of a seat is marked for translation: with a language in brackets nothing stands outside them."""

from __future__ import annotations

import re

import pytest
from languages.pseudo import pseudo_language, unmarked_in_page
from made_tables import MadeTable, by_chance, served
from pages import wait_until

CARDS = re.compile(r"(10|[2-9JQKA])[CDHS]\b")


@pytest.mark.parametrize("game", ["scout", "explorers"])
def test_everything_at_the_table_is_marked(game, open_page):
    """What is due, what happened, choices, a hint, a refusal, who is there, and the end."""
    made = MadeTable(game, players=2, people=(0, 1), decide=by_chance)
    pages = []
    with pseudo_language() as language, served(made) as links:
        shown, other = (open_page(link, locale=language) for link in links.values())
        wait_until(shown, lambda: shown.is_visible("body.my-turn") or other.is_visible("body.my-turn"))
        for page in (shown, other):
            pages.append(page.content())
            if page.is_visible("body.my-turn"):
                page.click("#list")
                page.click("#hint")
                wait_until(page, lambda page=page: "scout_swift" in page.content() or "explorers_" in page.content())
                pages.append(page.content())
        assert "de" == shown.get_attribute("html", "lang")
        names = [f"ann-{seat}" for seat in (0, 1)]

    allowed = [*names, "SCOUT", "De store oppdagere", re.compile(r"(scout|explorers)_\w+"), CARDS]
    assert [] == sorted({one for page in pages for one in unmarked_in_page(page, allowed=allowed)})
