"""Playouts from what one seat knows: redeal the hidden cards, copy, and play at random to the end.

`python -m benchmarks.search`. Positions are halfway through random games. Beside it OpenSpiel's gin_rummy
(`resample_from_infostate`, then random play from Python), and the array version of the rules that `explorers_searcher`
brings along: 512 worlds at once, all of them played to the end by its own quick policy. All take turns in short slices.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from random import Random
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

from benchmarks.figures import Measured, left_out, show
from tournament.games import load_game
from tournament.paths import data_folder

SLICES = 7
SECONDS = 0.6
POSITIONS = 20
PLAYOUTS = 40
"""From each position at a time, as a search makes them."""

WORLDS = 512
TABLES = (("scout", 4), ("explorers", 2))
ARRAYS = "explorers, 2 players, arrays"
ARRAY_GOAL = 2.0
"""Times the playouts of the rules: with less the arrays would not be worth their code."""


class Rate(NamedTuple):
    """What was done in a slice, by the second."""

    playouts: float
    moves: float


def figures(games: int) -> Iterator[Measured]:
    """Yields the playouts a second of both games, and how they compare."""
    del games  # it plays for a time
    rates = measure()
    for name, players in TABLES:
        own, theirs = rates[f"{name}, {players} players"], rates.get("gin_rummy")
        title = f"{name}, {players} players, redeal and random play to the end"
        yield Measured(name=title, value=own.playouts, unit="playouts/s")
        if theirs is None:
            yield left_out(title, "OpenSpiel is missing", unit="times gin_rummy")
        else:
            yield Measured(name=title, value=own.moves / theirs.moves, unit="times gin_rummy's moves/s")
            yield Measured(name=title, value=own.playouts / theirs.playouts, unit="times gin_rummy's playouts/s")
    if ARRAYS in rates:
        yield Measured(
            name=f"array version in bots/, {WORLDS} worlds at once",
            value=rates[ARRAYS].playouts / rates["explorers, 2 players"].playouts,
            unit="times the rules' playouts/s",
            goal=ARRAY_GOAL,
            note="the arrays choose well, the rules at random",
        )


def measure() -> dict[str, Rate]:
    """Returns the medians of all slices by what was played."""
    contestants = {f"{name}, {players} players": _on_the_rules(name, players) for name, players in TABLES}
    with suppress(ImportError):
        contestants["gin_rummy"] = _in_open_spiel()
    contestants[ARRAYS] = _in_arrays()
    found: dict[str, list[Rate]] = {name: [] for name in contestants}
    for _ in range(SLICES):
        for name, play in contestants.items():
            found[name].append(_rate(play))
    return {
        name: Rate(median(one.playouts for one in rates), median(one.moves for one in rates))
        for name, rates in found.items()
    }


def _rate(play: Callable[[], tuple[int, int]]) -> Rate:
    playouts = moves = 0
    begun = perf_counter()
    while (seconds := perf_counter() - begun) < SECONDS:
        more_playouts, more_moves = play()
        playouts += more_playouts
        moves += more_moves
    return Rate(playouts / seconds, moves / seconds)


def _seen(name: str, players: int, rng: Random) -> list[Any]:
    """Returns the views of one seat at its decisions up to the middle of a random game; the last is to decide."""
    game = load_game(name)
    state = game.start(game.deal(players, rng))
    seen: dict[int, list[Any]] = {seat: [] for seat in range(players)}
    seats = []
    while state.to_move is not None:
        seats.append(state.to_move)
        seen[state.to_move].append(state.view(state.to_move))
        legal = state.legal_actions()
        state.apply(legal[int(rng.random() * len(legal))])
    middle = seats[: len(seats) // 2]
    return seen[middle[-1]][: middle.count(middle[-1])]


def _on_the_rules(name: str, players: int) -> Callable[[], tuple[int, int]]:
    """Returns a function that makes playouts and counts the moves in them."""
    game, rng = load_game(name), Random(1)
    positions = [_seen(name, players, rng) for _ in range(POSITIONS)]

    def play() -> tuple[int, int]:
        seen = positions[int(rng.random() * POSITIONS)]
        choose, moves = rng.random, 0
        for _ in range(PLAYOUTS):
            state = game.redeal(seen, rng).copy()
            while state.to_move is not None:
                legal = state.legal_actions()
                state.apply(legal[int(choose() * len(legal))])
                moves += 1
        return PLAYOUTS, moves

    return play


def _in_open_spiel() -> Callable[[], tuple[int, int]]:
    """Returns the same for gin_rummy."""
    import pyspiel

    game, rng = pyspiel.load_game("gin_rummy"), Random(1)

    def step(state: Any) -> bool:
        legal = state.legal_actions()
        is_move = not state.is_chance_node()
        state.apply_action(legal[int(rng.random() * len(legal))])
        return is_move

    def halfway() -> Any:
        states = []
        state = game.new_initial_state()
        while not state.is_terminal():
            if not state.is_chance_node():
                states.append(state.clone())
            step(state)
        return states[len(states) // 2]

    positions = [halfway() for _ in range(POSITIONS)]

    def play() -> tuple[int, int]:
        position = positions[int(rng.random() * POSITIONS)]
        moves = 0
        for _ in range(PLAYOUTS):
            state = position.resample_from_infostate(position.current_player(), rng.random)
            while not state.is_terminal():
                moves += step(state)
        return PLAYOUTS, moves

    return play


def _in_arrays() -> Callable[[], tuple[int, int]]:
    """Returns a function that makes many playouts at once; it counts no moves."""
    sys.path.insert(0, str(data_folder("bots")))
    try:
        import numpy as np
        from _explorers_swift import play_on
        from _explorers_witness import Witness
        from _explorers_worlds import Worlds
    finally:
        sys.path.pop(0)
    rng, chance = Random(1), np.random.default_rng(1)
    witnesses = []
    while len(witnesses) < POSITIONS:
        seen = _seen("explorers", 2, rng)
        witness = Witness(2)
        for view in seen:
            witness.follow(view)
        if seen[-1].phase == "lay":  # where the arrays begin
            witnesses.append((witness, seen[-1]))

    def play() -> tuple[int, int]:
        witness, view = witnesses[int(rng.random() * POSITIONS)]
        hands, stock = witness.sample(view, chance, WORLDS)
        play_on(Worlds(witness.table, unlaid=witness.unlaid, hands=hands, stock=stock), view.seat)
        return WORLDS, 0

    return play


if __name__ == "__main__":
    show(figures(1))
