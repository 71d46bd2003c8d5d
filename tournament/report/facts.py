"""Everything the report of a run shows: standings, results, faults, times, and which games it includes."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, groupby, zip_longest
from pathlib import Path, PurePath
from statistics import median
from typing import Final

import msgspec

from tournament.errors import RecordError, RunError
from tournament.ids import block_of, group_of
from tournament.languages import gettext, gettext_noop
from tournament.ranking.compact.courses import RatingCourse, rating_courses
from tournament.ranking.compact.profiles import Profile, ProfileCollector
from tournament.ranking.sources import read_sources
from tournament.records.analysis import Analysis
from tournament.records.figures import format_number
from tournament.records.record import FaultKind
from tournament.records.results import (
    CLOCKS_FILE,
    SPREAD_STEPS,
    GameClock,
    ResultLine,
    SeatClock,
    has_record,
    spread_bound_ms,
)
from tournament.records.run import RunInfo
from tournament.records.standings import Standings
from tournament.report.listing import DETAILED_FAULTS, ChosenGame, ResultsRead, Tally, choose_games, notable_games
from tournament.report.tables import ReportPart, Value, entrants, numbers
from tournament.store.analyses import check_judges, find_analyses
from tournament.store.block_ids import BlockIds
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

    half_ms: float | None = None
    """Half of its moves took at most this; None where the run did not count moves by their time."""

    most_ms: float | None = None
    """90 of 100 moves took at most this."""

    nearly_all_ms: float | None = None
    """99 of 100 moves took at most this."""


def times_of_runs(
    paths: Iterable[Path], *, without: Collection[str] = (), segment: int | None = None
) -> tuple[TimeFact, ...]:
    """Returns the times of several runs, added up by the name of the entrant; files of records have none.

    Without the tables of some entrants; of one segment, else of all: finals take time, too, and so do bots that
    were disqualified.
    """
    out = frozenset(without)

    def is_asked(result: ResultLine) -> bool:
        return segment in (None, result.segment) and out.isdisjoint(result.seats)

    folders = (path if path.is_dir() else path.parent for path in paths)
    kept = [folder for folder in dict.fromkeys(folders) if (folder / CLOCKS_FILE).is_file()]
    return tuple(read_times(((folder, read_results(folder)) for folder in kept), is_asked=is_asked))


def read_times(
    runs: Iterable[tuple[Path, Iterable[ResultLine]]], *, is_asked: Callable[[ResultLine], bool] = lambda _: True
) -> Iterator[TimeFact]:
    """Yields the times of each entrant in the results of runs that are asked for; runs without clocks have none.

    Memory: one number for each seat of a game.
    """
    clocks: dict[str, defaultdict[str, _Times]] = {}
    for folder, results in runs:
        for game, result in _with_results(folder / CLOCKS_FILE, results):
            of_group = clocks.setdefault(group_of(game.id), defaultdict(_Times))
            if result is not None and is_asked(result):
                for entrant, clock in zip(result.seats, game.seats, strict=False):
                    of_group[entrant].add(clock)
    for group, by_entrant in clocks.items():
        for entrant, own in by_entrant.items():
            yield own.fact(group, entrant)


class _Times:
    """What the times of one entrant add up to."""

    def __init__(self) -> None:
        self.games = self.moves = 0
        self.total_ms = self.longest_ms = 0.0
        self.bank_ms: float | None = None
        self.means = array("d")
        """Milliseconds per move of each game with a move."""
        self.spread = [0] * SPREAD_STEPS

    def add(self, clock: SeatClock) -> None:
        self.games += 1
        self.moves += clock.moves
        self.total_ms += clock.total_ms
        self.longest_ms = max(self.longest_ms, clock.longest_ms)
        if clock.moves:
            self.means.append(clock.total_ms / clock.moves)
        for step, moves in enumerate(clock.spread):
            self.spread[step] += moves
        if clock.bank_ms is not None:
            self.bank_ms = clock.bank_ms if self.bank_ms is None else min(self.bank_ms, clock.bank_ms)

    def fact(self, group: str, entrant: str) -> TimeFact:
        return TimeFact(
            group=group,
            entrant=entrant,
            games=self.games,
            moves=self.moves,
            mean_ms=self.total_ms / self.moves if self.moves else None,
            median_ms=median(self.means) if self.means else None,
            longest_ms=self.longest_ms,
            bank_ms=self.bank_ms,
            half_ms=self._quantile(0.5),
            most_ms=self._quantile(0.9),
            nearly_all_ms=self._quantile(0.99),
        )

    def _quantile(self, share: float) -> float | None:
        """Returns what this share of the moves took at most, to 41 %; None where they were not counted by time."""
        total = sum(self.spread)
        for step, moves in enumerate(accumulate(self.spread)):
            if total and moves >= share * total:
                return round(min(spread_bound_ms(step), self.longest_ms), 3)
        return None


def _with_results(path: Path, results: Iterable[ResultLine]) -> Iterator[tuple[GameClock, ResultLine | None]]:
    """Yields each clock with the result of its game, or None; both files have the games in the same order.

    What has no partner yet waits. Few do: results of blocks without any clock are passed over.
    """
    timed = BlockIds()
    for block, _ in groupby(_clocks(path), key=lambda clock: block_of(clock.id)):
        timed.add(block)
    early: dict[str, GameClock] = {}
    waiting: dict[str, ResultLine] = {}
    for clock, result in zip_longest(_clocks(path), (result for result in results if result.block in timed)):
        if result is not None:
            if (known := early.pop(result.id, None)) is not None:
                yield known, result
            else:
                waiting[result.id] = result
        if clock is not None:
            if (own := waiting.pop(clock.id, None)) is not None:
                yield clock, own
            else:
                early[clock.id] = clock
    yield from ((clock, None) for clock in early.values())


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


LEGEND: Final = gettext_noop(
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
            title=gettext("{group}, milliseconds, measured outside the bots", group=group),
            columns=(
                entrants(),
                *numbers(gettext("median game"), gettext("mean"), gettext("longest")),
                *(*numbers(gettext("bank left"), drop=3), *numbers(gettext("moves"), drop=1)),
                *numbers(gettext("games"), drop=2),
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
        yield ReportPart(lines=(gettext(LEGEND),))


def _milliseconds(value: float | None) -> str:
    return "" if value is None else format_number(value, digits=2)


TIME_HEADERS = ("group", "entrant", "median_ms", "mean_ms", "longest_ms", "bank_ms", "moves", "games")


def time_rows(times: Iterable[TimeFact]) -> list[tuple[Value, ...]]:
    """Returns the times as rows of CSV, with the columns `TIME_HEADERS`."""
    return [
        (time.group, time.entrant, time.median_ms, time.mean_ms, time.longest_ms, time.bank_ms, time.moves, time.games)
        for time in times
    ]


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
    results: ResultsRead
    games: dict[str, int]
    """How many games each group has, in the order of their first games."""

    entrants: dict[str, tuple[str, ...]]
    """Who plays each group, in the order of their first games."""

    games_in_finals: int
    chosen: dict[str, ChosenGame]
    """The games that the report includes, by id."""

    faults: tuple[FaultFact, ...]
    fault_counts: dict[str, int]
    """The number of faults of each kind, the most frequent first."""

    times: tuple[TimeFact, ...]
    profiles: dict[str, Profile]
    """What the page of each entrant shows of its games, in the order of the run."""

    own_faults: dict[str, tuple[FaultFact, ...]]
    """The first faults of each entrant that has any."""

    courses: tuple[RatingCourse, ...]
    """The ratings of each group over the run; a knockout has none."""

    digest: str
    """SHA-256 over the digests of all games, one per line."""

    analyses: dict[str, Analysis] = {}
    """The analyses that were given, by the id of their game."""


def read_facts(folder: Path, analyses: Sequence[Path] = ()) -> RunFacts:
    """Returns everything that the report of a run shows; the run may still be played.

    `analyses` are files that `tournament analyse` wrote, or folders of them.

    Raises `RunError` for a folder that is not a run, `RecordError` for a file that cannot be read, or an
    analysis of no game of this run. Memory: a few bytes a game, for the standings and the times.
    """
    info = read_run(folder)
    next(read_results(folder), None)  # what cannot be read is told before anything is ranked
    judged = find_analyses(analyses)
    tally = Tally(info, asked={analysis.record for analysis in judged.values()})
    collector = ProfileCollector()
    sources = read_sources([folder], lines=collector.followed(tally.followed(read_results(folder))))
    profiles = collector.profiles(entrant.name for entrant in info.entrants)
    results = ResultsRead(folder, sum(tally.games.values()))
    by_game = dict(_analyses(folder, judged, tally.known))
    finals = list(_finals(info, tally))
    return RunFacts(
        folder=folder,
        info=info,
        standings=sources.standings(),
        finals={number: read_sources([folder], segment=number, lines=results).standings() for number in finals},
        notes=sources.notes,
        results=results,
        games=dict(tally.games),
        entrants={group: tuple(names) for group, names in tally.entrants.items()},
        games_in_finals=sum(tally.of_segment[number] for number in finals),
        chosen=choose_games(results, games=tally.games, analysed=by_game, notable=notable_games(profiles.values())),
        faults=tuple(_faults(folder, tally, keep=info.keep)),
        fault_counts=dict(sorted(tally.fault_counts.items(), key=lambda item: (-item[1], item[0]))),
        times=tuple(read_times([(folder, results)] if (folder / CLOCKS_FILE).is_file() else [])),
        profiles=profiles,
        own_faults={
            name: tuple(_fault(folder, own.result, own.number, keep=info.keep) for own in profile.faults)
            for name, profile in profiles.items()
            if profile.faults
        },
        courses=rating_courses(sources.counted.without(sources.knockouts)),
        digest=tally.digest.hexdigest(),
        analyses=by_game,
    )


def _finals(info: RunInfo, tally: Tally) -> Iterator[int]:
    """Yields the segments that are finals and have games that count: none does where a disqualified entrant sat."""
    for segment in info.segments:
        if segment.final and segment.number in tally.counting:
            yield segment.number


def _analyses(folder: Path, judged: Mapping[Path, Analysis], known: Collection[str]) -> Iterator[tuple[str, Analysis]]:
    """Yields the analyses in some files, each with the id of its game; `known` are the games of the run."""
    found: dict[str, Path] = {}
    for path, analysis in judged.items():
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


def _faults(folder: Path, tally: Tally, *, keep: str) -> Iterator[FaultFact]:
    """Yields at most `DETAILED_FAULTS` faults, kind by kind, of each kind equally many where there are enough."""
    each = DETAILED_FAULTS // max(1, len(tally.faults))
    for kind in sorted(tally.faults, key=lambda kind: (-tally.fault_counts[kind], kind)):
        for result, number in tally.faults[kind][:each]:
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
