"""A table in the terminal is marked for translation: with a language in brackets nothing stands outside them."""

from __future__ import annotations

import re

import pytest
from languages.pseudo import pseudo_language, unmarked_in_text
from test_person import Script, Sitting
from textual.widgets import Input, OptionList, Static
from textual.widgets._footer import FooterKey

from tournament.games import load_game
from tournament.lab.guide import Guide, Seating
from tournament.lab.person import LeftTable

CARDS = re.compile(r"(10|[2-9JQKA])[CDHS]\b")
TYPED = re.compile(r"\b(play|scout|keep|turn|draw|start|build|discard|stock|left|right|flip|then-play)\b")
"""Words by which actions are typed, the same in every language; what they mean stands behind them."""

NAMES = ["person", "SCOUT", "De store oppdagere", re.compile(r"(scout|explorers)_\w+|random_legal")]


@pytest.mark.parametrize("game", ["scout", "explorers"])
def test_a_table_that_is_asked_line_by_line_is_marked(game):
    """With hints, a move back, and answers that are none."""
    bot = {"scout": "scout_greedy", "explorers": "explorers_cautious"}[game]
    options = load_game(game).Options()
    with pseudo_language():
        guide = Guide(Seating(game=game, players=2, options=options))
        script = Script("?", "u", "99", "1 2 3", "1", "2", "y", "?", "?")
        script.play(game, bot, guide=guide, asks=True) if game == "explorers" else left(script, game, bot, guide)

    assert [] == unmarked_in_text("\n".join(script.printed), allowed=[*NAMES, CARDS, TYPED])


def left(script, game, bot, guide):
    """Plays until the person leaves."""
    script.answers += ["q\n", "y\n"]
    with pytest.raises(LeftTable):
        script.play(game, bot, guide=guide, asks=True)


def test_the_screen_of_a_table_is_marked():
    """Its title, table, choices, keys, the box, and the question whether one leaves."""
    shown = []

    def look(table):
        shown.extend(str(one.render()) for one in table.query(Static))
        shown.extend(f"{one.key_display} {one.description}" for one in table.query(FooterKey))
        shown.extend(one.placeholder for one in table.query(Input))
        for options in table.query(OptionList):
            shown.extend(str(options.get_option_at_index(index).prompt) for index in range(options.option_count))

    async def act(pilot, sitting):
        look(sitting.table)
        await sitting.type(pilot, "1")
        await pilot.press("escape")
        await pilot.pause()
        look(sitting.table)

    with pseudo_language():
        Sitting("scout", "scout_greedy").run(act)

    assert [] == unmarked_in_text("\n".join(shown), allowed=[*NAMES, CARDS, TYPED])
