"""Searcher: legal games, a doubt before it leaves Keeper's choice, and the time it is given."""

from __future__ import annotations

from random import Random

import pytest

from tournament import load_game
from tournament.players.bot import Clock, GameStart


@pytest.fixture
def searcher(bots, monkeypatch):
    """The module, trying few worlds; the tests' way to find the one bot of a module passes over those it imports."""
    module = bots.module("scout_searcher")
    found = bots.bot
    monkeypatch.setattr(module, "WORLDS", 4)
    monkeypatch.setattr(bots, "bot", lambda name: module.Searcher if name == "scout_searcher" else found(name))
    return module


@pytest.mark.parametrize("players", [2, 3, 5])
def test_it_plays_a_whole_game_legally(bots, searcher, players):
    """Every action is checked, and the game ends by the rules."""
    names = ["scout_searcher", *["scout_greedy"] * (players - 1)]

    assert "complete" == bots.play(load_game("scout"), names, seed=2)[1].ending


def test_the_same_seed_gives_the_same_moves(bots, searcher):
    """Its chance comes from its own source; without a clock it tries the same worlds."""
    first, _ = bots.play(load_game("scout"), ["scout_searcher"] * 2, seed=5)
    second, _ = bots.play(load_game("scout"), ["scout_searcher"] * 2, seed=5)

    assert first == second


@pytest.mark.parametrize(
    ("gains", "choice"),
    [
        ([[1.0, 2.0, 3.0], [1.0, 2.0, 3.0]], 0),
        ([[1.0, 2.0, 3.0], [3.0, 4.0, 5.0]], 1),
        ([[0.0, 0.0, 0.0], [9.0, -9.0, 1.0]], 0),
        ([[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]], 2),
        ([[0.0], [9.0]], 0),
    ],
)
def test_keepers_choice_is_left_only_for_what_is_better_by_more_than_chance(searcher, gains, choice):
    """`chosen`: the mean of the differences must be above its standard error."""
    assert choice == searcher.chosen(gains)


def test_it_stops_trying_worlds_when_the_time_is_used(searcher, monkeypatch):
    """The clock of a move: half of it is used at most."""
    ticks = iter(range(10_000))
    monkeypatch.setattr(searcher, "perf_counter", lambda: next(ticks) / 10)
    monkeypatch.setattr(searcher, "WORLDS", 1000)
    tried = []
    monkeypatch.setattr(searcher, "played_on", lambda world, action, seat: tried.append(world) or 0.0)
    game = load_game("scout")
    state = game.start(game.deal(3, Random(1)))
    bot = searcher.Searcher()
    bot.start(GameStart(game="scout", players=3, seat=0, options=game.Options(), rng=Random(1), clock=Clock()))
    bot.clock = Clock(move_ms=1000, bank_ms=0)
    bot.act(state.view(0))

    assert 2 * 5 == len(tried)  # keep and turn, in five worlds of a tenth of a second
