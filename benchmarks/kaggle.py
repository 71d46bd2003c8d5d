"""Moves a second of whole runs, against kaggle-environments playing `connectx` with two random agents.

`python -m benchmarks.kaggle [--environment FOLDER] [--seconds S] [--rounds N]`. Kaggle-environments pins other versions
of what we use, so it gets an environment of its own outside the tree, made the first time: without most of what it
names as needed, because `connectx` needs none of that. Ours are runs as `tournament run` plays them: views, clocks,
records checked against their schema and written. One after the other in each round: kaggle-environments, which plays
in one process, and ours with one worker all on one core; then ours with a worker on each.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tabulate import tabulate

from benchmarks.figures import Measured, left_out
from benchmarks.scaling import BOT, Clock
from tournament import __version__, run_tournament
from tournament.configuration.file import ConfigurationSource
from tournament.configuration.resolving import Configuration, resolve
from tournament.configuration.types import Budget, ConfigurationFile, GameEntry
from tournament.paths import data_folder
from tournament.records.settings import Isolation
from tournament.workers import pinned, usable_cores

PACKAGE = "kaggle-environments==1.33.2"
NEEDED = ("jsonschema", "requests", "numpy")
"""All that it imports to play `connectx`."""

TABLES = (("scout", 4), ("explorers", 2))
CORE = max(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else None
GOALS = {Isolation.NONE: 100, Isolation.PROCESS: 50}
"""Times its moves a second."""

ENVIRONMENT = Path.home() / ".cache" / "tournament-bench" / "kaggle"

PLAY = """
import json, sys, time
import kaggle_environments
environment = kaggle_environments.make("connectx")
environment.run(["random", "random"])
moves, begun = 0, time.perf_counter()
while time.perf_counter() - begun < float(sys.argv[1]):
    environment.reset()
    moves += len(environment.run(["random", "random"])) - 1
taken = time.perf_counter() - begun
print(json.dumps([kaggle_environments.__version__, moves / taken]))
"""


class UnavailableError(Exception):
    """Kaggle-environments cannot be had here; says why."""


def python_of(environment: Path) -> Path:
    """Returns the Python of an environment with kaggle-environments, made when it is not there."""
    python = environment / "bin" / "python"
    commands: list[list[str | Path]] = []
    if not python.exists():
        commands.append([sys.executable, "-m", "venv", environment])
    if not list(environment.glob("lib/*/site-packages/kaggle_environments")):
        install: list[str | Path] = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        commands += [[*install, "--no-deps", PACKAGE], [*install, *NEEDED]]
    for command in commands:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise UnavailableError(f"{' '.join(map(str, command))} failed: {done.stderr.strip()[-300:]}")
    return python


def kaggle_rate(python: Path, seconds: float) -> tuple[str, float]:
    """Returns the version of kaggle-environments and its moves a second."""
    done = subprocess.run([python, "-c", PLAY, str(seconds)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise UnavailableError(f"it does not play: {done.stderr.strip()[-300:]}")
    version, rate = json.loads(done.stdout.splitlines()[-1])
    return version, rate


class Row(NamedTuple):
    """What is measured against kaggle-environments."""

    game: str
    players: int
    isolation: Isolation
    workers: int


def our_rate(row: Row, seconds: float) -> float:
    """Returns the moves a second of a run of about so many seconds, from its second block on."""
    least = 3 * row.players * row.workers
    with pinned(CORE if row.workers == 1 else None):
        _, _, probed = _run(configuration(row, games=least))
        moves, taken, _ = _run(configuration(row, games=max(least, int(probed * seconds))))
    return moves / taken


def configuration(row: Row, *, games: int) -> Configuration:
    """Returns random bots at one game."""
    game, players, isolation, workers = row
    file = ConfigurationFile(
        name="moves",
        games=(GameEntry(game=game, players=players),),
        bots=(BOT,) * players,
        budget=Budget(games=games),
        isolation=isolation,
        workers=workers,
    )
    return resolve(ConfigurationSource(file, data_folder("bots"), None, {}))


def _run(configuration: Configuration) -> tuple[int, float, float]:
    """Returns moves, seconds and games a second of a run, without its first block, which starts the bots."""
    clock = Clock()
    with tempfile.TemporaryDirectory() as name:
        folder = run_tournament(configuration, out=Path(name) / "run", observer=clock)
        games = [json.loads(line) for line in (folder / "clocks.jsonl").read_bytes().splitlines()]
    moves = [sum(seat["moves"] for seat in game["seats"]) for game in games]
    taken = clock.ended - clock.begun
    return sum(moves[len(moves) - clock.games :]), taken, clock.games / taken


def figures(games: int) -> Iterator[Measured]:
    """Yields how many times its moves a second whole runs make."""
    del games  # it plays for a time
    unit = "times kaggle-environments"
    try:
        _, ours = measure(python_of(ENVIRONMENT), seconds=1.5, rounds=3)
    except UnavailableError as error:
        yield left_out("whole runs", str(error), unit=unit, goal=GOALS[Isolation.PROCESS])
        return
    for row, (_, ratio) in ours.items():
        workers = "1 worker" if row.workers == 1 else f"{row.workers} workers"
        yield Measured(
            name=f"whole runs, {row.game}, {row.players} players, {row.isolation}, {workers}",
            value=ratio,
            unit=unit,
            goal=GOALS[row.isolation],
        )


def main() -> None:
    """Prints both, and how they compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--environment", type=Path, default=ENVIRONMENT, help=f"by default {ENVIRONMENT}")
    parser.add_argument("--seconds", type=float, default=3.0, help="of each phase of play")
    parser.add_argument("--rounds", type=int, default=5)
    arguments, _ = parser.parse_known_args()
    try:
        python = python_of(arguments.environment)
        version, _ = kaggle_rate(python, 0.1)
        theirs, ours = measure(python, arguments.seconds, arguments.rounds)
    except UnavailableError as error:
        print(f"kaggle-environments: not measured, {error}")
        return
    rows = [(*row, f"{rate:,.0f}", f"{ratio:.0f}", GOALS[row.isolation]) for row, (rate, ratio) in ours.items()]
    print(f"kaggle-environments {version}, connectx, two random agents: {theirs:,.0f} moves/s")
    print(f"tournament {__version__}, whole runs of random bots:")
    headers = ("game", "players", "isolation", "workers", "moves/s", "times theirs", "goal")
    print(tabulate(rows, headers=headers, disable_numparse=True))


def measure(python: Path, seconds: float, rounds: int) -> tuple[float, dict[Row, tuple[float, float]]]:
    """Returns medians of the rounds: its moves a second, and by row ours and how many times its own they are."""
    theirs: list[float] = []
    ours: dict[Row, list[float]] = {
        Row(game, players, isolation, workers): []
        for workers in sorted({1, usable_cores()})
        for isolation in GOALS
        for game, players in TABLES
    }
    for _ in range(rounds):
        with pinned(CORE):
            theirs.append(kaggle_rate(python, seconds)[1])
        for row, rates in ours.items():
            rates.append(our_rate(row, seconds))
    return statistics.median(theirs), {
        row: (
            statistics.median(rates),
            statistics.median(rate / own for rate, own in zip(rates, theirs, strict=True)),
        )
        for row, rates in ours.items()
    }


if __name__ == "__main__":
    main()
