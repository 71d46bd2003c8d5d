"""News say which kind they are, in Python as in JSON."""

from __future__ import annotations

import random

import msgspec
import pytest

from tournament import load_game


def news_of_a_random_game(name: str):
    game = load_game(name)
    state = game.start(game.deal(3, random.Random(1)))
    chooser = random.Random(2)
    while state.to_move is not None:
        event = state.apply(chooser.choice(state.legal_actions()))
        for seat in (None, 0, 1, 2):
            yield from state.news(event, seat)


@pytest.mark.parametrize("game", ["scout", "explorers"])
def test_do_of_news_is_what_their_json_says(game):
    """Contract of games: `news.do`, as `action.do`."""
    news = list(news_of_a_random_game(game))

    assert [msgspec.to_builtins(item)["do"] for item in news] == [item.do for item in news]
