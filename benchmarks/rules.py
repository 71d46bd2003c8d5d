"""Random play against OpenSpiel.

Players' moves a second (chance nodes not counted, dealing included), every legal action listed at
every decision, driven from Python the same way. The games take turns in short slices, so that a
slow minute of the machine slows all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from random import Random
from statistics import median
from time import perf_counter, process_time

from tabulate import tabulate

from benchmarks.figures import Measured, left_out
from benchmarks.playouts import play_random_games
from tournament.games import load_game
from tournament.pure import is_compiled

SLICES = 7
SECONDS = 0.7


GOALS = {
    ("scout, 4 players", "gin_rummy"): None,
    ("scout, 4 players", "hearts"): 1.0,
    ("explorers, 2 players", "gin_rummy"): None,
    ("explorers, 2 players", "hearts"): 1.3,
}
"""Of compiled rules; pure ones have none. The benchmark `compiled` measures both."""


def figures(games: int) -> Iterator[Measured]:
    """Yields how many times as many moves a second our games make."""
    del games  # it plays for a time
    speeds = measure()
    for (name, other), compiled_goal in GOALS.items():
        goal = compiled_goal if is_compiled() else None
        theirs = speeds.get(f"OpenSpiel {other}")
        if theirs is None:
            yield left_out(f"{name}, random play", "OpenSpiel is missing", unit=f"times {other}", goal=goal)
        else:
            yield Measured(name=f"{name}, random play", value=speeds[name] / theirs, unit=f"times {other}", goal=goal)


def main() -> None:
    """Prints decisions a second and ratios to gin_rummy and hearts."""
    speeds = measure()
    if "OpenSpiel hearts" not in speeds:
        print("OpenSpiel is not installed (extra `bench`): no ratios.")
    rows = [
        (name, f"{speed:,.0f}", *(_ratio(speed, speeds.get(f"OpenSpiel {other}")) for other in ("gin_rummy", "hearts")))
        for name, speed in speeds.items()
    ]
    print(tabulate(rows, headers=("game", "moves/s", "times gin_rummy", "times hearts"), disable_numparse=True))


def measure() -> dict[str, float]:
    """Returns the moves a second of each game, without those of OpenSpiel where it is missing."""
    contestants = {
        "scout, 4 players": partial(play_random_games, load_game("scout"), 4),
        "explorers, 2 players": partial(play_random_games, load_game("explorers"), 2),
    }
    with suppress(ImportError):
        import pyspiel

        for name in ("gin_rummy", "hearts"):
            contestants[f"OpenSpiel {name}"] = partial(_play_open_spiel, pyspiel.load_game(name))
    speeds: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(SLICES):
        for name, play in contestants.items():
            speeds[name].append(play(SECONDS))
    return {name: median(values) for name, values in speeds.items()}


def _ratio(speed: float, other: float | None) -> str:
    return "-" if other is None else f"{speed / other:.2f}"


def hearts(seconds: float) -> float | None:
    """Returns the moves a second of OpenSpiel's hearts, by processor time; None where OpenSpiel is missing."""
    try:
        import pyspiel
    except ImportError:
        return None
    return _play_open_spiel(pyspiel.load_game("hearts"), seconds, clock=process_time)


def _play_open_spiel(game, seconds: float, *, clock=perf_counter) -> float:
    choose = Random(2).random
    moves = 0
    begun = clock()
    while clock() - begun < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            legal = state.legal_actions()
            moves += not state.is_chance_node()
            state.apply_action(legal[int(choose() * len(legal))])
    return moves / (clock() - begun)


if __name__ == "__main__":
    main()
