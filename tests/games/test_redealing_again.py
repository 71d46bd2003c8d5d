"""A search redeals one position many times: what it keeps in between changes nothing."""

from __future__ import annotations

from random import Random

import pytest

from tournament.errors import GameError
from tournament.games import load_game

TABLES = (("scout", 2), ("scout", 4), ("explorers", 2), ("explorers", 4))


def views_of_one_seat(game, players, seed):
    """Returns the views of seat 0 up to the middle of a random game."""
    rng = Random(seed)
    state = game.start(game.deal(players, rng))
    seen = []
    while state.to_move is not None:
        if state.to_move == 0:
            seen.append(state.view(0))
        legal = state.legal_actions()
        state.apply(legal[int(rng.random() * len(legal))])
    return seen[: len(seen) // 2 + 1]


def all_views(state, players):
    return [state.view(seat) for seat in range(players)]


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_the_same_views_and_seed_give_the_same_state_whatever_was_redealt_before(name, players):
    game = load_game(name)
    seen, others = (views_of_one_seat(game, players, seed) for seed in (1, 2))
    game.redeal(others, Random(3))
    first = all_views(game.redeal(seen, Random(4)), players)
    after_itself = all_views(game.redeal(seen, Random(4)), players)

    assert first == after_itself


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_views_that_do_not_fit_together_are_refused_also_after_some_that_do(name, players):
    game = load_game(name)
    seen = views_of_one_seat(game, players, 1)
    game.redeal(seen, Random(1))

    with pytest.raises(GameError):
        game.redeal([*seen[:-1], seen[0]], Random(1))
