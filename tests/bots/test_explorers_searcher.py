"""Searcher for De store oppdagere: legal games, an end to look for, and the time it is given."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from tournament import load_game
from tournament.games.cards import PACK
from tournament.games.explorers.types import Build, Discard, Draw, DrawSource, ExplorersDeal, StartExpedition
from tournament.players.bot import Clock, GameStart

GAME = load_game("explorers")


@pytest.fixture
def searcher(bots, monkeypatch):
    """The module, trying few worlds; the tests' way to find the one bot of a module passes over those it imports."""
    module = bots.module("explorers_searcher")
    found = bots.bot
    monkeypatch.setattr(module, "ROUNDS", ((4, 6), (2, 6)))
    monkeypatch.setattr(bots.module("_explorers_witness"), "TRIES", 30)
    monkeypatch.setattr(bots, "bot", lambda name: module.Searcher if name == "explorers_searcher" else found(name))
    return module


def started(module: Any, *, seat: int, players: int = 2, clock: Clock | None = None) -> Any:
    """Returns a Searcher that was told its game begins."""
    bot = module.Searcher()
    clock = clock or Clock()
    bot.start(
        GameStart(game="explorers", players=players, seat=seat, options=GAME.Options(), rng=Random(seat), clock=clock)
    )
    bot.clock = clock
    return bot


@pytest.mark.parametrize("players", [2, 3, 4])
def test_it_plays_a_whole_game_legally(bots, searcher, players):
    """Every action is checked, and the game ends by the rules."""
    names = ["explorers_searcher", *["explorers_planner"] * (players - 1)]

    assert "complete" == bots.play(GAME, names, seed=2)[1].ending


def test_the_same_seed_gives_the_same_moves(bots, searcher):
    """Its chance comes from its own source; without a clock it tries the same worlds."""
    first, _ = bots.play(GAME, ["explorers_searcher"] * 2, seed=5)
    second, _ = bots.play(GAME, ["explorers_searcher"] * 2, seed=5)

    assert first == second


def test_it_begins_no_round_that_would_last_too_long(searcher, monkeypatch):
    """The clock of a move: half of it is used at most."""
    ticks = iter(range(10_000))
    monkeypatch.setattr(searcher, "perf_counter", lambda: next(ticks) / 10)
    monkeypatch.setattr(searcher, "ROUNDS", ((4, 10), (4, 10), (4, 1000)))
    tried = []
    try_turns = searcher.Searcher.try_turns
    monkeypatch.setattr(
        searcher.Searcher, "try_turns", lambda *what: tried.append(what[-1].shape[1]) or try_turns(*what)
    )
    bot = started(searcher, seat=0, clock=Clock(move_ms=1000))
    bot.act(GAME.start(GAME.deal(2, Random(1))).view(0))

    assert [10, 10] == tried  # rounds of a tenth of a second, then one of ten seconds


def test_with_hardly_any_time_it_does_as_planner(bots, searcher, monkeypatch):
    """Below `LEAST_MS` for a move no world is tried."""
    monkeypatch.setattr(searcher.Searcher, "search", None)
    state = GAME.start(GAME.deal(3, Random(4)))
    bot = started(searcher, seat=0, players=3, clock=Clock(move_ms=50))

    assert bots.act("explorers_planner", state) == bot.act(state.view(0))


def almost_over() -> tuple[Any, list[Any]]:
    """Returns a game with one card left in the stock, and the views of seat 1, which is to lay.

    Seat 0 has openly taken the 10S, which counts 40 on its spades with three pictures. Seat 1 can lay 10H or 9H
    for 20 or 18, and the other one only if it has another turn. What lies on the piles is of no use.
    """
    spades = ("JS", "QS", "KS", "5S", "6S", "7S", "8S", "9S")
    hearts = ("KH", "5H", "6H", "7H", "8H")
    rest = sorted({*PACK} - {*spades, *hearts, "10S", "9H", "10H"})
    deal = ExplorersDeal(
        hands=((*spades, *rest[:2]), ("10S", *hearts, "9H", "10H", *rest[2:4])),
        stock=tuple(rest[4:]),
    )
    GAME.check_deal(deal)
    lays: tuple[list[Any], list[Any]] = (
        [StartExpedition("JS"), *(Build(card, 0) for card in spades[1:])],
        [Discard("10S"), StartExpedition("KH"), *(Build(card, 0) for card in hearts[1:])],
    )
    state = GAME.start(deal)
    seen = []
    while True:
        seat = state.to_move
        view = state.view(seat)
        taken = view.piles.S == ("10S",)
        if seat == 1:
            seen.append(view)
            if view.stock == 1 and view.phase == "lay":
                return state, seen
        if view.phase == "draw":
            # Two draws of seat 0 from piles: its 10S, and one card that is of no use, so that seat 1 comes to the end.
            action = view.legal_actions()[-1 if seat == 0 and (taken or view.stock == 11) else 0]
        else:
            action = lays[seat].pop(0) if lays[seat] else Discard(view.hand[-1])
        state.check(action)
        state.apply(action)


def test_planner_hopes_for_another_turn_and_forgets_what_the_other_seat_does_with_its_own(bots):
    """The control of the test below: it draws from a pile, to lay its last card in a turn that will not come."""
    state, _ = almost_over()
    state.apply(bots.act("explorers_planner", state))
    draw = bots.act("explorers_planner", state)

    assert DrawSource.STOCK != draw.source


def test_it_ends_the_game_before_the_other_seat_lays_its_best_card(searcher, monkeypatch):
    """With the last card of the stock the game is over (9), and the 10S stays in the hand."""
    monkeypatch.setattr(searcher, "ROUNDS", ((12, 6), (2, 6)))
    state, seen = almost_over()
    bot = started(searcher, seat=1)
    for view in seen[:-1]:
        bot.memory.follow(view)
        bot.witness.follow(view)
    lay = bot.act(seen[-1])
    state.apply(lay)
    draw = bot.act(state.view(1))

    assert (Build("10H", 0), Draw(DrawSource.STOCK)) == (lay, draw)
