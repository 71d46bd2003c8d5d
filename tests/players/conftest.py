"""Bots written to files, and games to play them in."""

from __future__ import annotations

import random
import textwrap

import pytest

from tournament.entrants.entries import entrants_from
from tournament.games import load_game
from tournament.players.bot import Clock, GameEnd, GameStart
from tournament.players.inline import InlinePlayer, load_bot_class


@pytest.fixture
def bot_file(tmp_path):
    """Returns a function that writes the text of a bot below a folder, and gives its source."""

    def write(text, folder="bots", name="a.py", **entry):
        place = tmp_path / folder
        place.mkdir(exist_ok=True)
        (place / name).write_text("from tournament import Bot\n" + textwrap.dedent(text))
        (entrant,) = entrants_from([{"bot": f"{folder}/{name}", **entry}], base=tmp_path)
        return entrant.bots[0]

    return write


@pytest.fixture
def player(bot_file):
    """Returns a function that makes a player of a bot whose methods are given as text."""

    def make(methods, *, params=None, **options):
        body = textwrap.indent(textwrap.dedent(methods), "    ")
        if "def act" not in body:
            body += "    def act(self, view):\n        return view.legal_actions()[0]\n"
        source = bot_file("class A(Bot):\n" + body, params=params or {})
        return InlinePlayer(load_bot_class(source), source, **options)

    return make


@pytest.fixture
def info():
    """What a bot of a game of SCOUT with three players is told."""
    game = load_game("scout")
    return GameStart(
        game="scout", players=3, seat=0, options=game.Options(), rng=random.Random(1), clock=Clock(move_ms=1000)
    )


@pytest.fixture
def view():
    """A view of the seat that is to move in SCOUT."""
    game = load_game("scout")
    state = game.start(game.deal(3, random.Random(1)))
    return state.view(state.to_move)


@pytest.fixture
def result():
    """How a game ended."""
    return GameEnd(scores=(1, 0, 0), places=(1, 2, 2), ending="complete", news=())
