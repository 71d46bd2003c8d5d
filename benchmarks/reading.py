"""Time and memory of what reads records: audit, export, validate and replay, over runs of more and more games.

    python -m benchmarks.reading [--games 100000]

The runs are played, with all records. Each command is a process of its own, whose CPU time and peak memory the system
tells when it ends. What a command takes for 20 games is subtracted before times per game are compared.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from statistics import median
from typing import Final

from benchmarks.costs import MEMORY_GOAL_MB, TIME_GOAL, Cost, cost_of, least_costs
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

FEW: Final = 2_500
"""A thousand games are too few to compare with.

To validate them takes a third of the start that is subtracted, and to export their rows a sixth.
"""

WORKERS_GOAL: Final = 1.7
PAIRS: Final = 3
"""How often one worker and two audit in turn."""

LATE_GOAL: Final = 1.2
REPLAYS: Final = 15


COMMANDS: Final = {
    "audit": ("audit", "{run}", "--workers", "1"),
    "export of rows of games": ("export", "{run}", "--rows", "games", "--format", "csv", "--workers", "1"),
    "export of rows of moves": ("export", "{run}", "--rows", "moves", "--format", "json", "--workers", "1"),
    "validate": ("validate", "{run}"),
}


def figures(games: int) -> Iterator[Measured]:
    """Yields time per game and memory of each command for all of so many records, against `few_of` them."""
    most = records_of(games)
    sizes = (few_of(most), most)
    with tempfile.TemporaryDirectory() as name:
        runs = {size: play(Path(name) / str(size), size) for size in (START_GAMES, *sizes)}
        for title, words in COMMANDS.items():
            yield from _growth(title, words, runs, sizes)
        yield late_game(runs[most], Path(name) / "one.json")
        yield two_workers(runs[most])


def few_of(most: int) -> int:
    """Returns how many games so many are compared with: a tenth, but at least `FEW`, or a quarter of fewer."""
    return max(most // 10, min(FEW, most // 4))


def _growth(title: str, words: tuple[str, ...], runs: dict[int, Path], sizes: tuple[int, int]) -> Iterator[Measured]:
    start, few, many = least_costs([partial(cost, words, runs[size]) for size in (START_GAMES, *sizes)])
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
        late = cost_of("replay", f"{run}#{last.id}", "--plain")
        ratios.append(late.cpu_seconds / cost_of("replay", str(one), "--plain").cpu_seconds)
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
    for _ in range(PAIRS):
        one, two = (cost_of("audit", str(run), "--workers", workers) for workers in ("1", "2"))
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
    """Returns what a command takes for a run."""
    return cost_of(*(word.format(run=run) for word in words))


def main() -> None:
    """Prints the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=10_000)
    show(figures(parser.parse_args().games))


if __name__ == "__main__":
    main()
