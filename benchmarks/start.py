"""How soon the command answers, the package is imported, and a bot's process is ready.

`python -m benchmarks.start`. Whole processes from outside, one kind after the other in each round; medians of wall
time on one core. Python keeps the bytecode of what it imports, as in any installed package.
"""

from __future__ import annotations

import compileall
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from time import perf_counter

import msgspec

import tournament
from benchmarks.figures import Better, Measured, show
from tournament.deals import bot_rng, bot_rng_text, deal_seed
from tournament.entrants.entries import entrants_from
from tournament.games import load_game
from tournament.paths import data_folder
from tournament.players.bot import Clock, GameStart
from tournament.players.linux.spawner import Spawner
from tournament.players.process import ProcessPlayer
from tournament.records.settings import Isolation, Limits, TimeControl

ROUNDS = 15
GOLDEN = Path(__file__).parents[1] / "records" / "golden" / "scout-4p-emptied.json"
GOALS = {"--help": 0.15, "--version": 0.15, "import tournament": 0.05, "replay --plain of one game": 0.4}
"""Seconds."""

READY_GOAL = 0.06
"""Seconds from the start of a bot's process until its answer `ready` is read."""


def figures(games: int) -> Iterator[Measured]:
    """Yields the seconds until each answers."""
    del games  # a start is a start
    compile_bytecode()
    command = [sys.executable, "-m", "tournament"]
    kinds: dict[str, Callable[[], float]] = {
        "--help": lambda: _seconds([*command, "--help"]),
        "--version": lambda: _seconds([*command, "--version"]),
        "import tournament": lambda: _seconds([sys.executable, "-c", "import tournament"]),
        "replay --plain of one game": lambda: _seconds([*command, "replay", str(GOLDEN), "--plain"]),
        "a bot's process ready": ready_seconds,
    }
    taken: dict[str, list[float]] = {kind: [] for kind in kinds}
    for _ in range(ROUNDS):
        for kind, measure in kinds.items():
            taken[kind].append(measure())
    for kind, seconds in taken.items():
        goal = GOALS.get(kind, READY_GOAL)
        yield Measured(name=kind, value=median(seconds), unit="s", goal=goal, better=Better.LESS)


def compile_bytecode() -> None:
    """Writes the bytecode that pip would have written when it installed."""
    folders = {Path(module.__file__ or "").parent for module in (tournament, msgspec)}
    for folder in (*folders, *(Path(path) for path in sys.path if path.endswith("site-packages"))):
        compileall.compile_dir(folder, quiet=2, workers=1)


def _seconds(command: list[str]) -> float:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    begun = perf_counter()
    subprocess.run(command, check=True, capture_output=True, env=environment)
    return perf_counter() - begun


def ready_seconds() -> float:
    """Returns how long the process of a bot takes until it has answered that it is ready."""
    source = entrants_from(["random_legal.py"], base=data_folder("bots"))[0].bots[0]
    spawner = Spawner(stop_at_once=False)
    player = ProcessPlayer(source, spawner, isolation=Isolation.PROCESS, clock=TimeControl(), limits=Limits())
    seed = deal_seed("bench", game="scout", players=2, segment=0, block=0)
    info = GameStart(
        game="scout",
        players=2,
        seat=0,
        options=load_game("scout").Options(),
        rng=bot_rng(seed, rotation=0, seat=0),
        clock=Clock(move_ms=1000, bank_ms=10_000),
        seed=bot_rng_text(seed, rotation=0, seat=0),
    )
    try:
        player.start(info)
        return player.start_ms / 1000
    finally:
        player.close()
        spawner.close()


if __name__ == "__main__":
    show(figures(1))
