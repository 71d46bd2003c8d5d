"""Tournaments that scale: workers against bare loops, memory over length, how soon a late game is replayed.

`python -m benchmarks.scaling [--seconds S] [--rounds N] [--games N] [--blocks N]`. Each phase is measured in turn
with the others and the medians of ratios are printed, because machines are shared and noisy.
"""

from __future__ import annotations

import argparse
import gc
import multiprocessing
import os
import statistics
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tabulate import tabulate

from benchmarks.figures import Better, Measured, left_out
from tournament import audit, run_tournament
from tournament.auditing import format_findings
from tournament.blocks import BlockPlayer, Jobs, setup_of
from tournament.configuration.file import ConfigurationSource
from tournament.configuration.resolving import Configuration, resolve
from tournament.configuration.types import Budget, ConfigurationFile, GameEntry
from tournament.deals import draw_master
from tournament.paths import data_folder
from tournament.records.run import Field, Format
from tournament.records.settings import Isolation
from tournament.run.listeners import Observers
from tournament.schedule.formats import blocks_of_fields
from tournament.store.results import read_results
from tournament.workers import usable_cores

BOT = "random_legal.py"
TRACED_GAMES = 2_000
"""Of the run whose memory is traced, which takes five times as long."""

GAIN_GOAL = 0.85
"""Of what a second bare loop gains."""

FLAT_MB = 1.0
"""A run's traced memory may grow so much: the tables of moves fill up."""


def figures(games: int) -> Iterator[Measured]:
    """Yields what a second worker gains, and how memory grows over a run."""
    if usable_cores() > 1:
        for isolation, gains in measure_workers(2.0, 3).items():
            yield Measured(
                name=f"two workers against one, {isolation}",
                value=gains.relative,
                unit="of the gain of bare loops",
                goal=GAIN_GOAL,
            )
    else:
        yield left_out("two workers against one", "one core only", unit="of the gain of bare loops", goal=GAIN_GOAL)
    with tempfile.TemporaryDirectory() as name:
        watch = watched_run(Path(name) / "run", min(games, TRACED_GAMES))
    yield Measured(
        name=f"traced memory of a run after its first tenth of {watch.games:,} games",
        value=watch.grown_mb,
        unit="MB",
        goal=FLAT_MB,
        better=Better.LESS,
    )


def configuration(*, isolation: Isolation, games: int, workers: int = 1, keep: str = "all") -> Configuration:
    """Returns four random bots at scout for four and explorers for two."""
    file = ConfigurationFile(
        name="scaling",
        games=(GameEntry(game="scout", players=4), GameEntry(game="explorers", players=2)),
        bots=(BOT,) * 4,
        budget=Budget(games=games),
        isolation=isolation,
        workers=workers,
        keep=keep,
    )
    return resolve(ConfigurationSource(file, data_folder("bots"), None, {}))


def bare_loop(isolation: Isolation, core: int, seconds: float, rate: multiprocessing.Queue[float]) -> None:
    """Puts the games a second of a pinned loop that plays blocks and throws them away."""
    os.sched_setaffinity(0, {core})
    config = configuration(isolation=isolation, games=6)
    jobs = Jobs(config.groups, master=draw_master(), suite=None)
    fields = tuple(
        Field(group=group.name, players=group.players, entrants=group.entrants, blocks=10**6) for group in config.groups
    )
    player = BlockPlayer(setup_of(config))
    blocks = blocks_of_fields(fields, format=Format.ROUND_ROBIN, seed="")
    for _ in range(4):
        player.play(jobs.job(next(blocks)))
    begun = time.perf_counter()
    games = 0
    while time.perf_counter() - begun < seconds:
        games += len(player.play(jobs.job(next(blocks))).lines)
    rate.put(games / (time.perf_counter() - begun))
    player.close()


def bare(isolation: Isolation, loops: int, seconds: float) -> float:
    """Returns the games a second of so many bare loops at once, a core each."""
    context = multiprocessing.get_context("spawn")
    rates: multiprocessing.Queue[float] = context.Queue()
    cores = sorted(os.sched_getaffinity(0))
    processes = [
        context.Process(target=bare_loop, args=(isolation, cores[number], seconds, rates)) for number in range(loops)
    ]
    for process in processes:
        process.start()
    total = sum(rates.get() for _ in processes)
    for process in processes:
        process.join()
    return total


class Clock(Observers):
    """Measures from the first block on, when every worker has its bots."""

    def __init__(self) -> None:
        """Starts without any block."""
        super().__init__()
        self.begun = self.ended = 0.0
        self.games = 0

    def block(self, block, results) -> None:
        """Counts a block; the first ones start the bots."""
        self.ended = time.perf_counter()
        if not self.begun:
            self.begun = self.ended
        else:
            self.games += len(results)


def run_rate(isolation: Isolation, workers: int, games: int) -> float:
    """Returns the games a second of a run with so many workers."""
    clock = Clock()
    with tempfile.TemporaryDirectory() as folder:
        run_tournament(
            configuration(isolation=isolation, games=games, workers=workers), out=Path(folder) / "run", observer=clock
        )
    return clock.games / (clock.ended - clock.begun)


class Gains(NamedTuple):
    """Medians of two workers against one, and of bare pinned loops in the same minute."""

    one_worker: float
    """Games a second."""

    two_workers: float
    gain: float
    bare_gain: float
    relative: float
    one_to_loop: float
    two_to_loops: float


def measure_workers(seconds: float, rounds: int) -> dict[Isolation, Gains]:
    """Returns two workers against one, relative to two bare pinned loops against one in the same minute."""
    found = {}
    for isolation in (Isolation.NONE, Isolation.PROCESS):
        ones, twos, alones, pairs = [], [], [], []
        for _ in range(rounds):
            alones.append(bare(isolation, 1, seconds))
            ones.append(run_rate(isolation, 1, int(alones[-1] * seconds)))
            pairs.append(bare(isolation, 2, seconds))
            twos.append(run_rate(isolation, 2, int(pairs[-1] * seconds)))
        gains = [two / one for one, two in zip(ones, twos, strict=True)]
        bare_gains = [pair / alone for alone, pair in zip(alones, pairs, strict=True)]
        relative = [gain / own for gain, own in zip(gains, bare_gains, strict=True)]
        to_loop = [one / alone for one, alone in zip(ones, alones, strict=True)]
        to_loops = [two / pair for two, pair in zip(twos, pairs, strict=True)]
        found[isolation] = Gains(*map(statistics.median, (ones, twos, gains, bare_gains, relative, to_loop, to_loops)))
    return found


def print_workers(seconds: float, rounds: int) -> None:
    """Prints what `measure_workers` returns."""
    rows = [
        (
            isolation,
            f"{gains.one_worker:.0f}",
            f"{gains.two_workers:.0f}",
            f"{gains.gain:.2f}",
            f"{gains.bare_gain:.2f}",
            f"{gains.relative:.0%}",
            f"{gains.one_to_loop:.0%}",
            f"{gains.two_to_loops:.0%}",
        )
        for isolation, gains in measure_workers(seconds, rounds).items()
    ]
    headers = (
        "isolation",
        "1 worker",
        "2 workers",
        "gain",
        "gain of loops",
        "gain relative",
        "1 against 1 loop",
        "2 against 2 loops",
    )
    print(tabulate(rows, headers=headers, disable_numparse=True))


def measure_schedule(blocks: int) -> None:
    """Prints how traced memory grows while blocks are scheduled."""
    names = tuple(f"bot{number:03d}" for number in range(40))
    field = Field(group="scout-4p", players=4, entrants=names, blocks=blocks)
    sampled = Field(group="scout-5p", players=5, entrants=names, blocks=blocks)
    tracemalloc.start()
    warm = 0
    begun = time.perf_counter()
    for number, _ in enumerate(blocks_of_fields((field, sampled), format=Format.ROUND_ROBIN, seed="")):
        if number == 10_000:
            warm = tracemalloc.get_traced_memory()[0]
        if number == blocks:
            break
    grown = tracemalloc.get_traced_memory()[0] - warm
    tracemalloc.stop()
    seconds = time.perf_counter() - begun
    print(
        f"{blocks:,} blocks scheduled: traced memory grew by {grown / 1e6:.2f} MB after 10,000; {seconds:.0f} s traced"
    )


class MemoryWatch(Observers):
    """Traced memory after a warm-up, and when the last game has been played."""

    def __init__(self, warm_up: int) -> None:
        """Takes the games of the warm-up."""
        super().__init__()
        self.warm_up = warm_up
        self.games = self.all_games = 0
        self.warm = self.last = 0

    def started(self, info, folder, *, games) -> None:
        """Learns how many games there will be."""
        self.all_games = sum(segment.games for segment in info.segments)

    def block(self, block, results) -> None:
        """Looks at the memory, twice."""
        self.games += len(results)
        if not self.warm and self.games >= self.warm_up:
            self.warm = traced_memory()
        if self.games == self.all_games:
            self.last = traced_memory()

    @property
    def grown_mb(self) -> float:
        """How much more memory was traced at the end than after the warm-up."""
        return (self.last - self.warm) / 1e6


def traced_memory() -> int:
    """Returns how many bytes are in use; what only waits to be collected is not."""
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


def watched_run(folder: Path, games: int) -> MemoryWatch:
    """Plays a run, and returns how its traced memory grew after its first tenth."""
    watch = MemoryWatch(games // 10)
    tracemalloc.start()
    run_tournament(configuration(isolation=Isolation.NONE, games=games), out=folder, observer=watch)
    tracemalloc.stop()
    return watch


def measure_play(games: int) -> None:
    """Prints how traced memory grows over a run, whether it audits clean, and how soon its last game is replayed."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "run"
        watch = watched_run(folder, games)
        print(f"{watch.games:,} games played: traced memory grew by {watch.grown_mb:.2f} MB after {watch.warm_up:,}")
        begun = time.perf_counter()
        print(f"{format_findings(audit(folder))} {time.perf_counter() - begun:.0f} s")
        *_, last = read_results(folder)
        version, replay = [], []
        for _ in range(15):
            version.append(seconds_to_output("--version"))
            replay.append(seconds_to_output("replay", f"{folder}#{last.id}", "--plain"))
        first, second = statistics.median(version), statistics.median(replay)
        print(
            f"replay of its last game starts printing after {second:.3f} s, {second / first:.2f} times "
            f"`tournament --version` ({first:.3f} s)"
        )


def seconds_to_output(*arguments: str) -> float:
    """Returns how long a command takes until its first line."""
    begun = time.perf_counter()
    with subprocess.Popen([sys.executable, "-m", "tournament", *arguments], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        taken = time.perf_counter() - begun
        process.stdout.read()
    return taken


def main() -> None:
    """Prints everything."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=4.0, help="of each phase of play")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--games", type=int, default=5_000, help="of the run whose memory is watched")
    parser.add_argument("--blocks", type=int, default=1_000_000)
    arguments, _ = parser.parse_known_args()
    if usable_cores() > 1:
        print_workers(arguments.seconds, arguments.rounds)
    else:
        print("workers: not measured, this process may use one core only")
    measure_schedule(arguments.blocks)
    measure_play(arguments.games)


if __name__ == "__main__":
    main()
