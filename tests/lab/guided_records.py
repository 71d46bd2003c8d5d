"""Records of games between guides, with a move planted where a test wants it."""

from __future__ import annotations

from random import Random

from made_records import random_record

from tournament.games import load_game
from tournament.lab.guide import Guide, Seating


def guided_record(game_name, players, seed, *, plant=None, spec=None):
    """Returns a game of guides in all seats; `plant(state, wanted, legal)` may return another action."""
    seating = Seating(game=game_name, players=players, options=load_game(game_name).Options())
    guide = Guide(seating, spec)
    bots = [guide.seat(seat, seed=f"{seed}") for seat in range(players)]

    def prefer(state, legal):
        wanted = bots[state.to_move].act(state.view(state.to_move))
        planted = None if plant is None else plant(state, wanted, legal)
        return [wanted if planted is None else planted]

    return random_record(game_name, players, seed, prefer=prefer)


class Once:
    """Plants one move: the first that a test finds fit, from the n-th decision on."""

    def __init__(self, find, *, skip=0):
        self.find = find
        self.skip = skip
        self.step = None
        self.count = -1

    def __call__(self, state, wanted, legal):
        self.count += 1
        if self.step is not None or self.count < self.skip:
            return None
        planted = self.find(state, wanted, legal)
        if planted is not None:
            self.step = self.count
        return planted


def random_hands(cards, size, seed):
    """Returns cards shuffled into hands."""
    rng = Random(seed)
    shuffled = sorted(cards, key=lambda card: rng.random())
    return tuple(tuple(shuffled[begin : begin + size]) for begin in range(0, len(shuffled), size))
