"""The time bots took, from the clocks of a run: of the machine it was played on, and so in no record and no ranking."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from statistics import median
from typing import Final

import msgspec

from tournament.errors import RecordError
from tournament.ids import group_of
from tournament.records.files import bounded_lines, open_regular
from tournament.records.fitting import read_results
from tournament.records.machine import CLOCKS_FILE, GameClock, SeatClock
from tournament.records.results import ResultLine
from tournament.report.figures import format_number
from tournament.report.tables import Column, ReportPart, Value


class TimeFact(msgspec.Struct, frozen=True, kw_only=True):
    """The time one entrant took in one group, in milliseconds."""

    group: str
    entrant: str
    games: int
    moves: int
    mean_ms: float | None
    """A move; None without moves."""

    median_ms: float | None
    """A move in the median of its games; None without moves."""

    longest_ms: float
    bank_ms: float | None
    """The least that was left of a bank; None where nobody limits it."""


def times_of_runs(
    paths: Iterable[Path], *, without: Collection[str] = (), segment: int | None = None
) -> tuple[TimeFact, ...]:
    """Returns the times of several runs added up by name; files of records have none.

    Without the tables of some entrants; of one segment, else of all: finals take time, too, and so do bots that
    were disqualified.
    """

    def is_asked(result: ResultLine) -> bool:
        return segment in (None, result.segment) and not set(without).intersection(result.seats)

    folders = (path if path.is_dir() else path.parent for path in paths)
    kept = [folder for folder in dict.fromkeys(folders) if (folder / CLOCKS_FILE).is_file()]
    return tuple(read_times((folder, filter(is_asked, read_results(folder))) for folder in kept))


def read_times(runs: Iterable[tuple[Path, Iterable[ResultLine]]]) -> Iterator[TimeFact]:
    """Yields the times of each entrant in some results of runs, group by group; nothing where no clocks are."""
    clocks: dict[str, defaultdict[str, list[SeatClock]]] = {}
    for folder, results in runs:
        seats = {result.id: result.seats for result in results}
        for game in _clocks(folder / CLOCKS_FILE):
            of_group = clocks.setdefault(group_of(game.id), defaultdict(list))
            for entrant, clock in zip(seats.get(game.id, ()), game.seats, strict=False):
                of_group[entrant].append(clock)
    for group, of_group in clocks.items():
        for entrant, own in of_group.items():
            moves = sum(clock.moves for clock in own)
            yield TimeFact(
                group=group,
                entrant=entrant,
                games=len(own),
                moves=moves,
                mean_ms=sum(clock.total_ms for clock in own) / moves if moves else None,
                median_ms=median(clock.total_ms / clock.moves for clock in own if clock.moves) if moves else None,
                longest_ms=max(clock.longest_ms for clock in own),
                bank_ms=min((clock.bank_ms for clock in own if clock.bank_ms is not None), default=None),
            )


def _clocks(path: Path) -> Iterator[GameClock]:
    decoder = msgspec.json.Decoder(GameClock)
    try:
        with open_regular(path) as file:
            for line in bounded_lines(file, path):
                try:
                    yield decoder.decode(line)
                except msgspec.DecodeError:
                    continue  # a torn line; times are no evidence
    except (OSError, RecordError):
        return  # times are no evidence


LEGEND: Final = (
    "Of moves: their mean in the median game (half of the games were slower), their mean in all games, the longest; "
    "bank left is the least that was left of a bank, empty without one."
)


def time_parts(times: Iterable[TimeFact]) -> Iterator[ReportPart]:
    """Yields a table for each group, the slowest first, then what the columns are."""
    by_group: dict[str, list[TimeFact]] = {}
    for time in times:
        by_group.setdefault(time.group, []).append(time)
    for group, own in by_group.items():
        yield ReportPart(
            title=f"{group}, milliseconds, measured from outside",
            columns=(
                Column("entrant"),
                Column("median game", right=True),
                Column("mean", right=True),
                Column("longest", right=True),
                Column("bank left", right=True, drop=3),
                Column("moves", right=True, drop=1),
                Column("games", right=True, drop=2),
            ),
            rows=[
                (
                    time.entrant,
                    _milliseconds(time.median_ms),
                    _milliseconds(time.mean_ms),
                    _milliseconds(time.longest_ms),
                    _milliseconds(time.bank_ms),
                    str(time.moves),
                    str(time.games),
                )
                for time in sorted(own, key=lambda time: (-(time.median_ms or 0.0), time.entrant))
            ],
        )
    if by_group:
        yield ReportPart(lines=(LEGEND,))


def _milliseconds(value: float | None) -> str:
    return "" if value is None else format_number(value, digits=2)


TIME_HEADERS = ("group", "entrant", "median_ms", "mean_ms", "longest_ms", "bank_ms", "moves", "games")


def time_rows(times: Iterable[TimeFact]) -> list[tuple[Value, ...]]:
    """Returns the times as rows of CSV, with the columns `TIME_HEADERS`."""
    return [
        (time.group, time.entrant, time.median_ms, time.mean_ms, time.longest_ms, time.bank_ms, time.moves, time.games)
        for time in times
    ]
