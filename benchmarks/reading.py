"""Time and memory of what reads records: audit, export, validate and replay, over runs of more and more games.

    python -m benchmarks.reading [--games 100000]

The runs are played, with all records. Each command is a process of its own, whose CPU time and peak memory the system
tells when it ends. What a command takes for 20 games is subtracted before times per game are compared.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

from benchmarks.figures import Better, Measured, left_out, records_of, show
from tournament import run_tournament
from tournament.configuration.file import ConfigurationSource
from tournament.configuration.resolving import resolve
from tournament.configuration.types import Budget, ConfigurationFile, GameEntry
from tournament.paths import data_folder
from tournament.records.codec import format_record
from tournament.records.settings import Isolation
from tournament.store.layout import Reference
from tournament.store.reader import find_record
from tournament.store.results import read_results
from tournament.workers import usable_cores

GAME: Final = "explorers"
PLAYERS: Final = 2
START_GAMES: Final = 20
"""So many games take as long as a command takes to start."""

TIME_GOAL: Final = 1.2
MEMORY_GOAL_MB: Final = 300.0
WORKERS_GOAL: Final = 1.7
LATE_GOAL: Final = 1.2
ROUNDS: Final = 3
REPLAYS: Final = 15


class Cost(NamedTuple):
    """What one command took, its worker processes included, but for their memory."""

    cpu_seconds: float
    seconds: float
    peak_mb: float


COMMANDS: Final = {
    "audit": ("audit", "{run}", "--workers", "1"),
    "export of rows of games": ("export", "{run}", "--rows", "games", "--format", "csv", "--workers", "1"),
    "export of rows of moves": ("export", "{run}", "--rows", "moves", "--format", "json", "--workers", "1"),
    "validate": ("validate", "{run}"),
}


def figures(games: int) -> Iterator[Measured]:
    """Yields time per game and memory of each command for a tenth and for all of so many records."""
    most = records_of(games)
    sizes = (most // 10, most)
    with tempfile.TemporaryDirectory() as name:
        runs = {size: play(Path(name) / str(size), size) for size in (START_GAMES, *sizes)}
        for title, words in COMMANDS.items():
            yield from _growth(title, words, runs, sizes)
        yield late_game(runs[most], Path(name) / "one.json")
        yield two_workers(runs[most])


def _growth(title: str, words: tuple[str, ...], runs: dict[int, Path], sizes: tuple[int, int]) -> Iterator[Measured]:
    start = cost(words, runs[START_GAMES])
    few, many = (cost(words, runs[size]) for size in sizes)
    times = [
        (one.cpu_seconds - start.cpu_seconds) / (size - START_GAMES)
        for size, one in zip(sizes, (few, many), strict=True)
    ]
    yield Measured(
        name=f"time a game: {title}, {sizes[1]:,} games",
        value=times[1] / times[0],
        unit=f"times that of {sizes[0]:,}",
        goal=TIME_GOAL,
        better=Better.LESS,
        note=f"{times[1] * 1e6:.0f} us a game",
    )
    yield Measured(
        name=f"peak memory: {title}, {sizes[1]:,} games",
        value=many.peak_mb,
        unit="MB",
        goal=MEMORY_GOAL_MB,
        better=Better.LESS,
        note=f"{few.peak_mb:.0f} MB for {sizes[0]:,}",
    )


def late_game(run: Path, one: Path) -> Measured:
    """Returns how long the last game of a run takes to be shown, against the same game in a file of its own."""
    *_, last = read_results(run)
    one.write_bytes(format_record(find_record(Reference(run, last.id))) + b"\n")
    ratios = []
    for _ in range(REPLAYS):
        late = _once(("replay", f"{run}#{last.id}", "--plain"))
        ratios.append(late.cpu_seconds / _once(("replay", str(one), "--plain")).cpu_seconds)
    return Measured(
        name="replay RUN#ID --plain of the last game",
        value=median(ratios),
        unit="times a file of one",
        goal=LATE_GOAL,
        better=Better.LESS,
        note=f"{late.peak_mb:.0f} MB",
    )


def two_workers(run: Path) -> Measured:
    """Returns how much faster two workers audit a run than one."""
    name = "audit with two workers"
    if usable_cores() < 2:
        return left_out(name, "this process may use one core only", unit="times one", goal=WORKERS_GOAL)
    gains = []
    for _ in range(ROUNDS):
        one, two = (_once(("audit", str(run), "--workers", workers)) for workers in ("1", "2"))
        gains.append(one.seconds / two.seconds)
    return Measured(name=name, value=median(gains), unit="times one", goal=WORKERS_GOAL)


def play(folder: Path, games: int) -> Path:
    """Returns a run of so many games of four random bots, with all records."""
    file = ConfigurationFile(
        name="reading",
        games=(GameEntry(game=GAME, players=PLAYERS),),
        bots=("random_legal.py",) * 4,
        budget=Budget(games=games),
        isolation=Isolation.NONE,
    )
    return run_tournament(resolve(ConfigurationSource(file, data_folder("bots"), None, {})), out=folder)


def cost(words: tuple[str, ...], run: Path) -> Cost:
    """Returns what a command takes for a run: the time of the fastest of a few, the most memory."""
    asked = tuple(word.format(run=run) for word in words)
    found = [_once(asked)]
    while len(found) < ROUNDS and found[0].seconds < 3.0:
        found.append(_once(asked))
    return Cost(
        min(one.cpu_seconds for one in found), min(one.seconds for one in found), max(one.peak_mb for one in found)
    )


def _once(words: tuple[str, ...]) -> Cost:
    begun = time.perf_counter()
    process = subprocess.Popen([sys.executable, "-m", "tournament", *words], stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"tournament {' '.join(words)} ended with {process.returncode}")
    return Cost(used.ru_utime + used.ru_stime, time.perf_counter() - begun, used.ru_maxrss / 1024)


def main() -> None:
    """Prints the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=10_000)
    show(figures(parser.parse_args().games))


if __name__ == "__main__":
    main()
