"""Time and memory of work that grows with the games of a run: standings, report, and a run's last block.

    python -m benchmarks.growth [--games 1000000] [--draw docs/drawings/growth.svg]

Runs are made up: real entrants, schedule and ids, random results, no records. Each command is a process of its own,
whose CPU time and peak memory the system tells when it ends. What a command takes for 100 games is subtracted before
times per game are compared.
"""

from __future__ import annotations

import argparse
import os
import shutil
import tempfile
from collections.abc import Iterator
from functools import partial
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

import msgspec
from msgspec.structs import replace

from benchmarks.costs import MEMORY_GOAL_MB, TIME_GOAL, TURNS, Cost, cost_of, least_costs
from benchmarks.figures import Better, Measured
from tournament.configuration.file import ConfigurationSource
from tournament.configuration.resolving import Configuration, resolve
from tournament.configuration.types import Budget, ConfigurationFile, GameEntry
from tournament.deals import draw_master, draw_salt, schedule_seed
from tournament.paths import data_folder
from tournament.records.results import (
    CLOCKS_FILE,
    RESULTS_FILE,
    GameClock,
    ResultLine,
    SeatClock,
    format_result,
)
from tournament.records.run import Format, RunState
from tournament.records.settings import Isolation
from tournament.run.budgets import fields_of
from tournament.run.describing import run_info, segment_info
from tournament.schedule.formats import blocks_of_fields
from tournament.store.folder import Secret, begin_folder
from tournament.store.layout import RUN_FILE, SECRET_FILE
from tournament.store.writer import RunWriter

BOT: Final = "random_legal.py"
SIZES: Final = (10_000, 100_000, 1_000_000)
START_GAMES: Final = 100
"""So many games take as long as a command takes to start."""


class Kind(NamedTuple):
    """A tournament whose length varies."""

    game: str
    players: int
    entrants: int

    @property
    def name(self) -> str:
        """Its name in tables."""
        return f"{self.game} {self.players}p, {self.entrants} entrants"


KINDS: Final = (Kind("explorers", 2, 4), Kind("explorers", 2, 30), Kind("scout", 4, 4), Kind("scout", 4, 30))
COMMANDS: Final = ("resume", "standings", "report")
"""The first one plays the last block, and so the run is complete for the others."""


class Growth(NamedTuple):
    """What a command took for a number of games."""

    command: str
    kind: Kind
    games: int
    cost: Cost
    per_game_us: float
    """Without the start of the command."""

    ratio: float
    """Of the time per game to that for the smallest number of games."""


def figures(games: int) -> Iterator[Measured]:
    """Yields the time per game against that of 10,000 games, and the peak memory, of each command and tournament."""
    for row in measure([size for size in SIZES if size <= games]):
        name = f"{row.command}, {row.kind.name}, {row.games:,} games"
        if row.games > SIZES[0]:
            yield Measured(
                name=f"time a game: {name}",
                value=row.ratio,
                unit=f"times that of {SIZES[0]:,}",
                goal=TIME_GOAL,
                better=Better.LESS,
                note=f"{row.per_game_us:.1f} us a game",
            )
        yield Measured(
            name=f"peak memory: {name}", value=row.cost.peak_mb, unit="MB", goal=MEMORY_GOAL_MB, better=Better.LESS
        )


def measure(sizes: list[int]) -> Iterator[Growth]:
    """Yields what each command takes for each tournament and size."""
    for kind in KINDS:
        with tempfile.TemporaryDirectory() as name:
            runs = {size: made_run(Path(name) / str(size), kind, size) for size in (START_GAMES, *sizes)}
            for command in COMMANDS:
                turns = TURNS if len(sizes) > 1 else 1  # of one size no time is told
                start, *costs = least_costs([partial(cost, command, run) for run in runs.values()], turns=turns)
                first = None
                for size, taken in zip(sizes, costs, strict=True):
                    per_game = max(taken.cpu_seconds - start.cpu_seconds, 1e-9) / (size - START_GAMES) * 1e6
                    first = per_game if first is None else first
                    yield Growth(command, kind, size, taken, per_game, per_game / first)


def cost(command: str, run: Path) -> Cost:
    """Returns what a command takes for a run."""
    if command != "resume":
        return cost_of(command, str(run))
    _stop_before_the_end(run)
    return cost_of(command, str(run), "--quiet")


def made_run(folder: Path, kind: Kind, games: int) -> Path:
    """Returns a run of so many games, all played but the last block, with made-up results and no records."""
    configuration = _configuration(kind, games)
    fields = fields_of(configuration)
    secret = Secret(master=draw_master(), salt=draw_salt())
    segment = segment_info(fields, number=0, format=Format.ROUND_ROBIN, secret=secret)
    info = run_info(configuration, segment, folder=folder)
    strength = {name: number for number, name in enumerate(sorted(configuration.groups[0].entrants))}
    rng = Random(games)
    with begin_folder(folder), RunWriter(folder, keep="none", compressed=False) as writer:
        writer.write_configuration(configuration.text)
        writer.begin_segment(info, secret)
        writer.write_run(replace(info, state=RunState.INTERRUPTED))
    seed = schedule_seed(secret.master, segment=0)
    with (folder / RESULTS_FILE).open("wb") as results, (folder / CLOCKS_FILE).open("wb") as clocks:
        left = games - kind.players
        for block in blocks_of_fields(fields, format=Format.ROUND_ROBIN, seed=seed):
            if left <= 0:
                break
            left -= kind.players
            luck = {name: strength[name] // 2 + rng.randrange(12) for name in block.order}
            for rotation in range(kind.players):
                record_id = f"{block.id}.{rotation}"
                seats = block.order[rotation:] + block.order[:rotation]
                results.write(_result(record_id, seats, tuple(luck[name] + rng.randrange(20) for name in seats)))
                clocks.write(_clock(record_id, rng.random(), kind.players))
    begun = _begun(folder)
    begun.mkdir()
    for name in (RUN_FILE, SECRET_FILE):
        shutil.copyfile(folder / name, begun / name)
    for name in (RESULTS_FILE, CLOCKS_FILE):
        (begun / name).write_text(str((folder / name).stat().st_size))
    return folder


def _result(record_id: str, seats: tuple[str, ...], scores: tuple[int, ...]) -> bytes:
    result = ResultLine(
        id=record_id,
        seats=seats,
        scores=scores,
        places=tuple(1 + sum(other > score for other in scores) for score in scores),
        ending="complete",
        digest=sha256(record_id.encode()).hexdigest(),
    )
    return format_result(result) + b"\n"


def _clock(record_id: str, total_ms: float, players: int) -> bytes:
    """Returns the line of a game in which all took the same time."""
    own = SeatClock(moves=20, total_ms=total_ms, longest_ms=total_ms / 10, spread=(0, 0, 1, 6, 9, 3, 1))
    return msgspec.json.encode(GameClock(id=record_id, seats=(own,) * players)) + b"\n"


def _configuration(kind: Kind, games: int) -> Configuration:
    file = ConfigurationFile(
        name="growth",
        games=(GameEntry(game=kind.game, players=kind.players),),
        bots=tuple({"name": f"bot{number:02}", "bot": BOT} for number in range(kind.entrants)),
        budget=Budget(games=games),
        isolation=Isolation.NONE,
        keep="none",
    )
    return resolve(ConfigurationSource(file, data_folder("bots"), None, {}))


def _begun(run: Path) -> Path:
    """Returns the folder with the files of a run as they were before its last block."""
    return run.with_name(f"{run.name}-begun")


def _stop_before_the_end(run: Path) -> None:
    """Makes a run that was played to its end one whose last block is still to be played."""
    begun = _begun(run)
    for name in (RUN_FILE, SECRET_FILE):
        shutil.copyfile(begun / name, run / name)
        (run / name).chmod(0o600)
    for name in (RESULTS_FILE, CLOCKS_FILE):
        os.truncate(run / name, int((begun / name).read_text()))


def draw(rows: list[Growth], path: Path) -> None:
    """Draws time per game and peak memory over the number of games."""
    from matplotlib import pyplot

    figure, (time, memory) = pyplot.subplots(1, 2, figsize=(9.0, 3.6), layout="constrained")
    for number, command in enumerate(COMMANDS):
        for style, kind in zip(("-", "--", ":", "-."), KINDS, strict=True):
            own = [row for row in rows if (row.command, row.kind) == (command, kind)]
            label = f"{command}, {kind.name}"
            if not own:
                continue
            games = [row.games for row in own]
            time.plot(games, [row.per_game_us for row in own], f"C{number}{style}", marker="o", label=label)
            memory.plot(games, [row.cost.peak_mb for row in own], f"C{number}{style}", marker="o")
    for axes, title in ((time, "µs of CPU a game"), (memory, "peak memory, MB")):
        axes.set(title=title, xlabel="games", xscale="log")
        axes.set_ylim(bottom=0)
        axes.grid(alpha=0.3)
    figure.legend(loc="outside lower center", ncols=3, fontsize="x-small")
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)


def main() -> None:
    """Prints what each command takes, and draws it where that is asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=SIZES[-1])
    parser.add_argument("--draw", type=Path, metavar="FILE", help="also draw it, as SVG or PNG")
    arguments = parser.parse_args()
    rows = []
    for row in measure([size for size in SIZES if size <= arguments.games]):
        rows.append(row)
        print(
            f"{row.command:9} {row.kind.name:26} {row.games:>9,} games: {row.cost.cpu_seconds:6.2f} s, "
            f"{row.per_game_us:5.1f} us a game ({row.ratio:.2f}), {row.cost.peak_mb:4.0f} MB",
            flush=True,
        )
    if arguments.draw is not None:
        draw(rows, arguments.draw)


if __name__ == "__main__":
    main()
