"""How fast training environments are: random games in PettingZoo and in OpenSpiel, decisions a second of one core.

python -m benchmarks.adapters
"""

from __future__ import annotations

import resource
from collections.abc import Callable
from time import process_time

import numpy as np
import pyspiel

import tournament.adapters.openspiel  # noqa: F401 (registers the games)
from tournament.adapters.pettingzoo import aec_env

SECONDS = 2.0
CASES = (("scout", 3), ("scout", 5), ("explorers", 2), ("explorers", 4))


def measure(play: Callable[[], int]) -> str:
    """Returns games and decisions a second of a function that plays a game and counts its decisions."""
    games = decisions = 0
    begun = process_time()
    while process_time() - begun < SECONDS:
        decisions += play()
        games += 1
    taken = process_time() - begun
    return f"{games / taken:8.1f} games/s {decisions / taken:9.0f} decisions/s"


def petting_zoo(name: str, players: int, chooser: np.random.RandomState) -> Callable[[], int]:
    """Returns a function that plays a random game, observing before every decision."""
    env = aec_env(name, players=players)
    env.reset(seed=1)

    def play() -> int:
        env.reset()
        decisions = 0
        for _ in env.agent_iter():
            observation, _, over, _, _ = env.last()
            if over:
                break
            decisions += 1
            env.step(int(chooser.choice(np.flatnonzero(observation["action_mask"]))))
        return decisions

    return play


def open_spiel(name: str, players: int, chooser: np.random.RandomState) -> Callable[[], int]:
    """Returns a function that plays a random game, the deal card by card, without observing."""
    game = pyspiel.load_game(f"tournament_{name}", {"players": players})

    def play() -> int:
        state = game.new_initial_state()
        decisions = 0
        while not state.is_terminal():
            legal = state.legal_actions()
            decisions += not state.is_chance_node()
            state.apply_action(legal[chooser.randint(len(legal))])
        return decisions

    return play


def main() -> None:
    """Prints a line a game and adapter."""
    chooser = np.random.RandomState(1)
    for name, players in CASES:
        for adapter in (petting_zoo, open_spiel):
            print(f"{name:10} {players} players {adapter.__name__:12}", measure(adapter(name, players, chooser)))
    print(f"largest memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
