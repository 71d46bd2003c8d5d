"""Random games by the rules alone: what other measurements are compared with."""

from __future__ import annotations

from random import Random
from time import perf_counter

from tournament.games.contract import Game


def play_random_games(game: Game, players: int, seconds: float) -> float:
    """Returns decisions a second: dealing included, every legal action listed at every decision."""
    rng, choose = Random(1), Random(2).random
    decisions = 0
    begun = perf_counter()
    while perf_counter() - begun < seconds:
        state = game.start(game.deal(players, rng))
        while state.to_move is not None:
            legal = state.legal_actions()
            state.apply(legal[int(choose() * len(legal))])
            decisions += 1
    return decisions / (perf_counter() - begun)
