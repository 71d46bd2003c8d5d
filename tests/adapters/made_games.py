"""Games played by the referee, to hold those of adapters against."""

from __future__ import annotations

from functools import cache

import numpy as np

from tournament.adapters.observation import training_of
from tournament.deals import deal_seed, make_deal
from tournament.games import load_game
from tournament.numbering import numbering_of
from tournament.records.codec import codec_for
from tournament.records.record import SeatInfo
from tournament.referee import Sitting, play_game

EVERY = [(name, players) for name in ("scout", "explorers") for players in load_game(name).players]


def dealing_of(name, players):
    """Returns how a game is dealt card by card, with its usual options."""
    return training_of(name, players).dealing(load_game(name).Options())


class ChoosingPlayer:
    """A player that draws its actions from the chance it is given, or asks a bot."""

    taken_ns = 0
    lists = False
    start_ms = 0.0

    def __init__(self, bot=None):
        self.bot = bot

    def start(self, info):
        self.rng = info.rng
        if self.bot is not None:
            self.bot.start(info)

    def act(self, view, clock=None):
        if self.bot is not None:
            return self.bot.act(view)
        legal = view.legal_actions()
        return legal[int(self.rng.random() * len(legal))]

    def end(self, result):
        self.result = result


def refereed(name, seats, *, options=None, block=0):
    """Returns the record of a game of the referee; a bot a seat, None for a random one."""
    game, players = load_game(name), len(seats)
    seed = deal_seed("adapters", game=name, players=players, segment=0, block=block)
    given = game.Options(**(options or {}))
    sitting = Sitting(
        id=f"{name}-{players}p.0.000000.0",
        tournament="adapters",
        game=game,
        options=given,
        deal=make_deal(game, players=players, seed=seed, options=given),
        seed=seed,
        rotation=0,
        seats=tuple(SeatInfo(bot=f"b{seat}", version="1", fingerprint="0" * 64) for seat in range(players)),
    )
    return play_game(sitting, tuple(map(ChoosingPlayer, seats))).record


@cache
def random_game(name, players):
    """Returns the record of a random game of the referee."""
    return refereed(name, (None,) * players)


def steps_of(record):
    """Yields for each move of a record the seat, its view before, the action, and the action's number."""
    game, codec = load_game(record.game.name), codec_for(record.game.name)
    numbering = numbering_of(record.game.name, record.game.players)
    state = game.start(record.deal, record.game.options)
    for move in record.moves:
        view, action = state.view(move.seat), codec.to_action(move)
        yield move.seat, view, action, numbering.number_of(view, action)
        state.apply(action)


def first_legal(mask):
    """Returns the lowest number of a mask that is legal."""
    return int(np.flatnonzero(mask)[0])
