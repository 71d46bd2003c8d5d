"""How fast training environments are: decisions a second of one core, beside PettingZoo's own games.

    python -m benchmarks.adapters

Every decision is made at random, in the same loop for all: `last()` with an observation and a mask, `step()`. The games
take turns, a slice each, so that what slows the machine slows all of them. Time is that of the processor.
"""

from __future__ import annotations

import resource
import warnings
from collections.abc import Callable, Iterator
from random import Random
from time import process_time
from typing import Any, Final

import numpy as np

from benchmarks.figures import Measured, left_out

SLICES: Final = 12
SLICE_SECONDS: Final = 0.3
GOAL: Final = 2.0
CASES: Final = (("scout", 2), ("scout", 3), ("scout", 5), ("explorers", 2), ("explorers", 4))

Play = Callable[[], int]
"""Plays a game at random and returns how many decisions it had."""


def figures(games: int) -> Iterator[Measured]:
    """Yields decisions a second of each environment, and how many times PettingZoo's own that is."""
    try:
        yardsticks = {name: petting_zoo(env) for name, env in own_games().items()}
    except ImportError as error:
        yield left_out("PettingZoo's own games", f"{error}; pip install 'tournament[bench]'")
        yardsticks = {}
    plays = dict(yardsticks)
    plays |= {f"{name}, {players} players": petting_zoo(our_env(name, players)) for name, players in CASES}
    plays |= {f"{name}, {players} players, one seat": gymnasium(name, players) for name, players in CASES}
    plays |= {f"{name}, {players} players, OpenSpiel": open_spiel(name, players) for name, players in CASES}
    speeds = decisions_a_second(plays)
    for name, speed in speeds.items():
        yield Measured(name=name, value=speed, unit="decisions/s")
    for game, players in CASES:
        name = f"{game}, {players} players"
        for yardstick in yardsticks:
            value = speeds[name] / speeds[yardstick]
            yield Measured(name=name, value=value, unit=f"times {yardstick}", goal=GOAL)


def decisions_a_second(plays: dict[str, Play], *, slices: int = SLICES) -> dict[str, float]:
    """Returns the speed of each, measured in turns."""
    decisions = dict.fromkeys(plays, 0)
    seconds = dict.fromkeys(plays, 0.0)
    for play in plays.values():
        play()
    for _ in range(slices):
        for name, play in plays.items():
            begun = process_time()
            while process_time() - begun < SLICE_SECONDS:
                decisions[name] += play()
            seconds[name] += process_time() - begun
    return {name: decisions[name] / seconds[name] for name in plays}


def own_games() -> dict[str, Any]:
    """Returns PettingZoo's own leduc and connect_four."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pettingzoo.classic import connect_four_v3, leduc_holdem_v4

        return {"leduc": leduc_holdem_v4.env(), "connect_four": connect_four_v3.env()}


def our_env(name: str, players: int) -> Any:
    """Returns the environment of a game of ours."""
    from tournament.adapters.pettingzoo import env

    return env(name, players=players)


def petting_zoo(env: Any) -> Play:
    """Returns what plays an AEC environment, observing before every decision."""
    chance = Random(1).random
    env.reset(seed=1)

    def play() -> int:
        env.reset()
        decisions = 0
        for _ in env.agent_iter():
            observation, _, over, stopped, _ = env.last()
            if over or stopped:
                break
            decisions += 1
            legal = np.flatnonzero(observation["action_mask"])
            env.step(int(legal[int(chance() * len(legal))]))
        return decisions

    return play


def gymnasium(name: str, players: int) -> Play:
    """Returns what plays one seat against bots that play at random; only the decisions of that seat count."""
    from tournament.adapters.gymnasium import seat_env

    chance = Random(1).random
    env = seat_env(name, players=players)
    env.reset(seed=1)

    def play() -> int:
        env.reset()
        decisions, over = 0, False
        while not over:
            legal = np.flatnonzero(env.action_masks())
            _, _, over, _, _ = env.step(int(legal[int(chance() * len(legal))]))
            decisions += 1
        return decisions

    return play


def open_spiel(name: str, players: int) -> Play:
    """Returns what plays a game in OpenSpiel, the deal card by card, without observing."""
    import pyspiel

    import tournament.adapters.openspiel  # noqa: F401 (registers the games)

    chance = Random(1).random
    game = pyspiel.load_game(f"tournament_{name}", {"players": players})

    def play() -> int:
        state = game.new_initial_state()
        decisions = 0
        while not state.is_terminal():
            legal = state.legal_actions()
            decisions += not state.is_chance_node()
            state.apply_action(legal[int(chance() * len(legal))])
        return decisions

    return play


def main() -> None:
    """Prints the figures."""
    from benchmarks.figures import goal_text, number_text

    for one in figures(0):
        print(f"{one.name:35} {number_text(one.value):>10} {one.unit:20} {goal_text(one)} {one.note}")
    print(f"largest memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
