"""Random play against OpenSpiel.

Players' moves a second (chance nodes not counted, dealing included), every legal action listed at
every decision, driven from Python the same way. The games take turns in short slices, so that a
slow minute of the machine slows all of them.
"""

from __future__ import annotations

from functools import partial
from random import Random
from statistics import median
from time import perf_counter

from tabulate import tabulate

from benchmarks.playouts import play_random_games
from tournament.games import load_game

SLICES = 7
SECONDS = 0.7


def main() -> None:
    """Prints decisions a second and ratios to gin_rummy and hearts."""
    contestants = {
        "scout, 4 players": partial(play_random_games, load_game("scout"), 4),
        "explorers, 2 players": partial(play_random_games, load_game("explorers"), 2),
    }
    try:
        import pyspiel
    except ImportError:
        print("OpenSpiel is not installed (extra `bench`): no ratios.")
    else:
        for name in ("gin_rummy", "hearts"):
            contestants[f"OpenSpiel {name}"] = partial(_play_open_spiel, pyspiel.load_game(name))
    speeds: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(SLICES):
        for name, play in contestants.items():
            speeds[name].append(play(SECONDS))
    middle = {name: median(values) for name, values in speeds.items()}
    rows = [
        (name, f"{speed:,.0f}", *(_ratio(speed, middle.get(f"OpenSpiel {other}")) for other in ("gin_rummy", "hearts")))
        for name, speed in middle.items()
    ]
    print(tabulate(rows, headers=("game", "moves/s", "times gin_rummy", "times hearts"), disable_numparse=True))


def _ratio(speed: float, other: float | None) -> str:
    return "-" if other is None else f"{speed / other:.2f}"


def _play_open_spiel(game, seconds: float) -> float:
    choose = Random(2).random
    moves = 0
    begun = perf_counter()
    while perf_counter() - begun < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            legal = state.legal_actions()
            moves += not state.is_chance_node()
            state.apply_action(legal[int(choose() * len(legal))])
    return moves / (perf_counter() - begun)


if __name__ == "__main__":
    main()
