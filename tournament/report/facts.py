"""Everything the report of a run shows: standings, results, faults, times, and which games it includes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from enum import StrEnum
from hashlib import sha256
from pathlib import Path, PurePath
from statistics import median
from typing import Final

import msgspec

from tournament.errors import RecordError, RunError
from tournament.ids import group_of, within_group
from tournament.ranking.sources import read_sources
from tournament.records.analysis import Analysis
from tournament.records.figures import format_number
from tournament.records.record import FaultKind
from tournament.records.results import CLOCKS_FILE, GameClock, ResultLine, SeatClock, has_record
from tournament.records.run import RunInfo
from tournament.records.standings import Standings
from tournament.report.tables import Column, ReportPart, Value, numbers
from tournament.store.analyses import check_judges, find_analyses
from tournament.store.files import bounded_lines, open_regular
from tournament.store.folder import read_run
from tournament.store.layout import Reference
from tournament.store.reader import find_record
from tournament.store.results import read_results


class TimeFact(msgspec.Struct, frozen=True, kw_only=True):
    """The time one entrant took in one group, in milliseconds."""

    group: str
    entrant: str
    games: int
    moves: int
    mean_ms: float | None
    """Per move; None without moves."""

    median_ms: float | None
    """Per move, in the median of its games; None without moves."""

    longest_ms: float
    bank_ms: float | None
    """The least that was left of its bank in any game; None without a limit."""


def times_of_runs(
    paths: Iterable[Path], *, without: Collection[str] = (), segment: int | None = None
) -> tuple[TimeFact, ...]:
    """Returns the times of several runs, added up by the name of the entrant; files of records have none.

    Without the tables of some entrants; of one segment, else of all: finals take time, too, and so do bots that
    were disqualified.
    """

    def is_asked(result: ResultLine) -> bool:
        return segment in (None, result.segment) and not set(without).intersection(result.seats)

    folders = (path if path.is_dir() else path.parent for path in paths)
    kept = [folder for folder in dict.fromkeys(folders) if (folder / CLOCKS_FILE).is_file()]
    return tuple(read_times((folder, filter(is_asked, read_results(folder))) for folder in kept))


def read_times(runs: Iterable[tuple[Path, Iterable[ResultLine]]]) -> Iterator[TimeFact]:
    """Yields the times of each entrant in some results of runs, group by group; runs without clocks have none."""
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
    "Times per move: the mean in the median game (half of the games were slower), the mean in all games, the longest. "
    "Bank left: the least that was left of the time bank; empty without one."
)


def time_parts(times: Iterable[TimeFact]) -> Iterator[ReportPart]:
    """Yields a table for each group, slowest entrant first, then a legend."""
    by_group: defaultdict[str, list[TimeFact]] = defaultdict(list)
    for time in times:
        by_group[time.group].append(time)
    for group, own in by_group.items():
        yield ReportPart(
            title=f"{group}, milliseconds, measured outside the bots",
            columns=(
                Column("entrant"),
                *numbers("median game", "mean", "longest"),
                *(*numbers("bank left", drop=3), *numbers("moves", drop=1), *numbers("games", drop=2)),
            ),
            rows=[
                (
                    time.entrant,
                    *map(_milliseconds, (time.median_ms, time.mean_ms, time.longest_ms, time.bank_ms)),
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


ALL_GAMES: Final = 120
"""The report of a run with at most this many games includes all of them."""

FAULTY_GAMES: Final = 60
GAMES_OF_A_KIND: Final = 8
"""How many of the closest games, of the widest games and of the sample are included for each group."""

CHUNK_GAMES: Final = 5000
"""How many games are listed in one file."""


class ShownFor(StrEnum):
    """Why a report includes a game."""

    ANALYSED = "analysed"
    FAULT = "fault"
    CLOSEST = "closest"
    WIDEST = "widest"
    SAMPLE = "sample"


def choose_games(results: Sequence[ResultLine], *, analysed: Collection[str] = ()) -> dict[str, tuple[ShownFor, ...]]:
    """Returns the ids of the games that a report includes, in the order of the run, with the reasons.

    The report of a long run stays small. It includes the first games with a fault, the closest and the widest games
    and an even sample of each group, and the games with an analysis; of all others it has one line to search.
    """
    reasons: defaultdict[str, list[ShownFor]] = defaultdict(list)
    for record_id in analysed:
        reasons[record_id].append(ShownFor.ANALYSED)
    for result in [result for result in results if result.faults][:FAULTY_GAMES]:
        reasons[result.id].append(ShownFor.FAULT)
    for members in _by_group(results).values():
        fair = sorted((result for result in members if not result.forfeits), key=lead)
        for result in fair[:GAMES_OF_A_KIND]:
            reasons[result.id].append(ShownFor.CLOSEST)
        for result in fair[::-1][:GAMES_OF_A_KIND]:
            reasons[result.id].append(ShownFor.WIDEST)
        everything = len(results) <= ALL_GAMES
        for result in members if everything else members[:: max(1, len(members) // GAMES_OF_A_KIND)][:GAMES_OF_A_KIND]:
            reasons[result.id].append(ShownFor.SAMPLE)
    return {result.id: tuple(reasons[result.id]) for result in results if result.id in reasons}


def _by_group(results: Iterable[ResultLine]) -> dict[str, list[ResultLine]]:
    by_group: defaultdict[str, list[ResultLine]] = defaultdict(list)
    for result in results:
        by_group[group_of(result.id)].append(result)
    return by_group


def lead(result: ResultLine) -> int:
    """Returns by how many points the best seat was ahead of the second best."""
    best, second = sorted(result.scores, reverse=True)[:2] if len(result.scores) > 1 else (0, 0)
    return best - second


class Chunk(msgspec.Struct, frozen=True, kw_only=True):
    """Some successive games of a group, each as one short text."""

    group: str
    entrants: tuple[str, ...]
    games: tuple[str, ...]
    """Such as `0.000003.1;2,0;26,-1;1,2;F`: the id without its group, for each seat the number of its entrant, the
    scores, the places, and F if there was a fault."""


def chunks(results: Sequence[ResultLine]) -> Iterator[Chunk]:
    """Yields all games of a run group by group, at most `CHUNK_GAMES` at a time."""
    for group, members in _by_group(results).items():
        entrants = tuple(dict.fromkeys(name for result in members for name in result.seats))
        number = {name: place for place, name in enumerate(entrants)}
        for begin in range(0, len(members), CHUNK_GAMES):
            part = members[begin : begin + CHUNK_GAMES]
            yield Chunk(group=group, entrants=entrants, games=tuple(_short(result, number) for result in part))


def _short(result: ResultLine, number: dict[str, int]) -> str:
    fields = (
        within_group(result.id),
        ",".join(str(number[name]) for name in result.seats),
        ",".join(map(str, result.scores)),
        ",".join(map(str, result.places)),
        "F" if result.faults else "",
    )
    return ";".join(fields)


DETAILED_FAULTS: Final = 200
"""How many faults are shown in full; each kind gets the same share."""


class FaultFact(msgspec.Struct, frozen=True, kw_only=True):
    """One fault; with step, detail and answer if the record of its game was kept."""

    id: str
    seat: int
    entrant: str
    kind: FaultKind
    at: int | None = None
    detail: str | None = None
    answer: str | None = None


class RunFacts(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that is shown of a run."""

    folder: Path
    info: RunInfo
    standings: Standings
    finals: dict[int, Standings]
    """The standings of each final that has games that count, by the number of its segment."""

    notes: tuple[str, ...]
    results: tuple[ResultLine, ...]
    faults: tuple[FaultFact, ...]
    fault_counts: dict[str, int]
    """The number of faults of each kind, the most frequent first."""

    times: tuple[TimeFact, ...]
    digest: str
    """SHA-256 over the digests of all games, one per line."""

    analyses: dict[str, Analysis] = {}
    """The analyses that were given, by the id of their game."""


def read_facts(folder: Path, analyses: Sequence[Path] = ()) -> RunFacts:
    """Returns everything that the report of a run shows; the run may still be played.

    `analyses` are files that `tournament analyse` wrote, or folders of them.

    Raises `RunError` for a folder that is not a run, `RecordError` for a file that cannot be read, or an
    analysis of no game of this run. Memory: the results.
    """
    info = read_run(folder)
    results = tuple(read_results(folder))
    sources = read_sources([folder], lines=results)
    counts = Counter[str](kind for result in results for _, kind in result.faults)
    return RunFacts(
        folder=folder,
        info=info,
        standings=sources.standings(),
        finals={
            number: read_sources([folder], segment=number, lines=results).standings()
            for number in _finals(info, results)
        },
        notes=sources.notes,
        results=results,
        faults=tuple(_faults(folder, results, keep=info.keep)),
        fault_counts=dict(sorted(counts.items(), key=lambda item: (-item[1], item[0]))),
        times=tuple(read_times([(folder, results)])),
        digest=sha256("".join(f"{result.digest}\n" for result in results).encode()).hexdigest(),
        analyses=dict(_analyses(folder, results, analyses)),
    )


def _finals(info: RunInfo, results: Sequence[ResultLine]) -> Iterator[int]:
    """Yields the segments that are finals and have games that count: none does where a disqualified entrant sat."""
    out = {disqualified.entrant for disqualified in info.disqualified}
    played = {result.segment for result in results if out.isdisjoint(result.seats)}
    for segment in info.segments:
        if segment.final and segment.number in played:
            yield segment.number


def _analyses(folder: Path, results: Sequence[ResultLine], paths: Sequence[Path]) -> Iterator[tuple[str, Analysis]]:
    """Yields the analyses in some files, each with the id of its game."""
    known = {result.id for result in results}
    found: dict[str, Path] = {}
    for path, analysis in find_analyses(paths).items():
        if analysis.record not in known:
            raise RecordError(f"{path} judges {analysis.record}, and {folder} has no such game. Leave it out.")
        check_judges(analysis, find_record(Reference(folder, analysis.record)), path)
        other = found.setdefault(analysis.record, path)
        if other != path:
            raise RecordError(f"{other} and {path} both judge {analysis.record}. Give one of them.")
        yield analysis.record, analysis


def named_spec(spec: str) -> str:
    """Returns a spec without the folders of an absolute path, which would tell about the machine."""
    return PurePath(spec).name if PurePath(spec).is_absolute() or spec.startswith("~") else spec


def _faults(folder: Path, results: Sequence[ResultLine], *, keep: str) -> Iterator[FaultFact]:
    """Yields at most `DETAILED_FAULTS` faults, kind by kind, of each kind equally many where there are enough."""
    by_kind: defaultdict[FaultKind, list[tuple[ResultLine, int]]] = defaultdict(list)
    for result in results:
        for number, (_, kind) in enumerate(result.faults):
            by_kind[kind].append((result, number))
    each = DETAILED_FAULTS // max(1, len(by_kind))
    for kind in sorted(by_kind, key=lambda kind: (-len(by_kind[kind]), kind)):
        for result, number in by_kind[kind][:each]:
            yield _fault(folder, result, number, keep=keep)


def _fault(folder: Path, result: ResultLine, number: int, *, keep: str) -> FaultFact:
    seat, kind = result.faults[number]
    told = FaultFact(id=result.id, seat=seat, entrant=result.seats[seat], kind=kind)
    if not has_record(result, keep=keep):
        return told
    try:
        fault = find_record(Reference(folder, result.id)).faults[number]
    except (RecordError, RunError, IndexError):
        return told
    return msgspec.structs.replace(told, at=fault.at, detail=fault.detail, answer=fault.answer)
