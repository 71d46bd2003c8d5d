"""What our games draw in a page is marked for translation, and is the same in English as it stands in the code."""

from __future__ import annotations

import re

import pytest
from languages.pseudo import pseudo_language, unmarked_in_page
from made_records import random_record

from tournament.viewer.page import format_html

CARD = re.compile(r"\b(10|[2-9AJQK])[CDHS]\b")
NAMES = ("alpha", "beta", "gamma")


@pytest.mark.parametrize("game", ["scout", "explorers"])
def test_the_words_on_a_table_are_marked(game, open_page, tmp_path):
    with pseudo_language():
        html = format_html(random_record(game, 3, seed=11))
    (tmp_path / "game.html").write_text(html, encoding="utf-8")
    page = open_page((tmp_path / "game.html").as_uri())
    page.wait_for_selector("html[data-unpacked]", state="attached")
    found = set()
    for _ in range(40):
        page.keyboard.press("ArrowRight")
        found.update(unmarked_in_page(page.inner_html("#table"), allowed=[*NAMES, CARD]))

    assert set() == found
