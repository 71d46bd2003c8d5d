"""The runs and files that a ranking is made from, and their standings as `standings.json` has them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from os import PathLike
from pathlib import Path
from typing import Any, cast

import msgspec

from tournament.errors import NotComparableError, UsageError
from tournament.languages import kept_gettext
from tournament.ranking.compact.collecting import CountedGames, GamesCollector, counted_games
from tournament.ranking.compact.packing import SourcedResult
from tournament.ranking.compact.runs import RunAlone, no_such_segment
from tournament.ranking.pooling import (
    BlockSeeds,
    Pool,
    Suites,
    pool_results,
    same_bots,
    withdrawn_entrants,
)
from tournament.ranking.results import counted, result_from_record, results_from_lines, results_of_run
from tournament.ranking.sequential import ratio_follower, ratio_test_of_run
from tournament.ranking.standings import rank
from tournament.ranking.told.notes import empty_groups, notes_by_run, notes_of_knockouts, same_bot
from tournament.records.codec import AnyRecord, canonical_bytes
from tournament.records.figures import RatioTest
from tournament.records.results import RESULTS_FILE, GameResult, ResultLine
from tournament.records.run import Disqualification, Extent, RunInfo, RunState
from tournament.records.standings import Bracket, Standings
from tournament.schedule.extents import extent_of_run, total_extent, written_extent
from tournament.schedule.knockout import BracketFollower, brackets_of_run, is_knockout
from tournament.store.folder import read_run
from tournament.store.layout import RUN_FILE, records_path
from tournament.store.lines import PassedOver
from tournament.store.reader import read_short_records
from tournament.text import each, format_place


def standings_file(info: RunInfo, lines: Iterable[ResultLine]) -> dict[str, Any]:
    """Returns the values of `standings.json` of a run, complete or not, from all of its results.

    Raises `RecordError` for results that cannot be of this run.
    """
    so_far = StandingsSoFar(info)
    so_far.add(lines)
    return so_far.file(info)


class StandingsSoFar:
    """What the standings of a run need of its results, which are told one after the other and not kept."""

    def __init__(self, info: RunInfo) -> None:
        """Starts without a result."""
        self._info = info
        self._collector = GamesCollector()
        self._follower = ratio_follower(info)
        self._brackets = BracketFollower(info) if is_knockout(info) else None

    def add(self, lines: Iterable[ResultLine]) -> None:
        """Takes the next results, in the order of the run."""
        results = results_from_lines(self._followed(lines), self._info)
        for result in counted(results, self._info):
            self._collector.add(result)

    def file(self, info: RunInfo) -> dict[str, Any]:
        """Returns the values of `standings.json`; `info` is the run as it is now.

        Raises `RecordError` for results that cannot be of this run.
        """
        ranked = rank(
            self._collector.counted(),
            weights=info.weights,
            withdrawn=withdrawn_entrants([info]),
            brackets={} if self._brackets is None else self._brackets.brackets(info),
        )
        values: dict[str, Any] = msgspec.to_builtins(
            msgspec.structs.replace(
                ranked,
                runs=(info.name,),
                interim=info.state is not RunState.COMPLETE,
                disqualified=info.disqualified,
                test=None if self._follower is None else self._follower.state(),
                extent=written_extent(info),
            )
        )
        return values

    def _followed(self, lines: Iterable[ResultLine]) -> Iterator[ResultLine]:
        for line in lines:
            if self._follower is not None:
                self._follower.add((line,))
            if self._brackets is not None:
                self._brackets.add(line)
            yield line


class Sources(msgspec.Struct, frozen=True, kw_only=True):
    """Runs and files pooled: their results, and what is known of them."""

    runs: tuple[str, ...]
    """The names of runs, and the paths of files."""

    interim: bool
    """Whether a run is not complete."""

    pool: Pool
    weights: dict[str, float] | None
    """By game, where all runs agree on them; None: all games weigh the same."""

    notes: tuple[str, ...]
    """What the runs say of themselves: entrants withdrawn, blocks that could not be played."""

    merged: tuple[str, ...]
    without: tuple[str, ...]
    extent: Extent | None
    """How much of the runs was planned and played; None for files of records."""

    disqualified: tuple[Disqualification, ...]
    withdrawn: frozenset[str]
    """The entrants that were withdrawn from every run they take part in, by their names in the pool."""

    brackets: dict[str, Bracket]
    """By group, of a single run that is a knockout."""

    knockouts: tuple[str, ...]
    """Groups with games of a knockout: nothing is claimed of strength in them."""

    counted: CountedGames
    """The games of whole blocks among the results."""

    test: RatioTest | None = None
    """Of a single run with `until: sprt`."""

    @property
    def results(self) -> Iterable[GameResult]:
        """The results under the names of the pool, made anew each time; those of a single run are read again."""
        return self.pool.results

    def check_qualified(self, entrants: Collection[str]) -> None:
        """Raises `UsageError` for an entrant that has no results because it is disqualified."""
        ranked = frozenset[str]().union(*self.counted.entrants.values())
        for one in self.disqualified:
            if one.entrant in entrants and one.entrant not in ranked:
                raise UsageError(
                    f"{one.entrant} is disqualified: {one.reason}. Its games do not count; "
                    f"`tournament disqualify RUN {format_place(one.entrant)} --undo` takes it back in."
                )

    def check_comparable(self) -> None:
        """Raises `NotComparableError` when games of a knockout are among the results."""
        if self.knockouts:
            raise NotComparableError(
                f"{', '.join(self.knockouts)} was played as a knockout, in which results decided who met whom: it says "
                "who won, and nothing of who is how strong. Play a round robin among those you want to compare."
            )

    def standings(self, *, weights: Mapping[str, float] | None = None) -> Standings:
        """Returns the standings of all results together; `weights` replace those of the runs."""
        ranked = rank(
            self.counted,
            weights=self.weights if weights is None else weights,
            withdrawn=self.withdrawn,
            brackets=self.brackets,
            knockouts=self.knockouts,
        )
        return msgspec.structs.replace(
            ranked,
            runs=self.runs,
            interim=self.interim,
            told_apart=self.pool.told_apart,
            merged=self.merged,
            without=self.without,
            disqualified=self.disqualified,
            test=self.test,
            extent=self.extent,
        )


def read_sources(
    paths: Sequence[Path],
    *,
    merge: Collection[str] = (),
    without: Collection[str] = (),
    name_deals: bool = False,
    segment: int | None = None,
    suites: Suites | None = None,
    skip_bad: bool | None = None,
    lines: Iterable[ResultLine] | None = None,
) -> Sources:
    """Returns the games of runs and files of records, pooled as `pool_results` says.

    `segment` takes the games of that segment alone. Deals are looked for in `suites`; left out, in the suites that come
    along and those that these runs name. `skip_bad` leaves out records in files that cannot be read, and notes that;
    None does not offer it in the error. `lines` are the results of the only path, a run, if they were read already.

    Raises `RecordError` and `RunError` for what cannot be read, `BotError` for names that nobody has, `UsageError` for
    groups that were played by different rules. Memory: some 40 bytes a game of a single run, whose results are not
    kept; some 150 of several sources, and of files, whose results are kept packed.
    """
    merge, without = each(merge), each(without)
    passed = PassedOver(skips_bad=skip_bad)
    infos = [_run_of(path) for path in paths]
    runs = [info for info in infos if info is not None]
    suites = Suites(paths) if suites is None else suites
    extents = [
        None if info is None else extent_of_run(_folder_of(path), info, segment=segment)
        for path, info in zip(paths, infos, strict=True)
    ]
    # A final of a knockout, which 0.1.0 played, is no knockout.
    knockouts = [info for info in runs if is_knockout(info) and segment in (None, 0)]
    if len(paths) == 1 and (paths[0] / RESULTS_FILE).is_file():
        alone = RunAlone(paths[0], runs[0], suites, segment=segment, name_deals=name_deals, lines=lines)
        pool, games = alone.pool(merge=merge, without=without)
    else:
        given: Iterable[Iterable[SourcedResult]] = (read_played(path, suites, passed=passed) for path in paths)
        if segment is not None:
            given = (_of_segment(path, suites, segment, passed) for path in paths)
        pool = pool_results(given, merge=merge, without=without, name_deals=name_deals)
        games = counted_games(pool.results)
    return Sources(
        runs=tuple(str(path) if info is None else info.name for path, info in zip(paths, infos, strict=True)),
        interim=any(info.state is not RunState.COMPLETE for info in runs),
        pool=pool,
        weights=_weights([info.weights for info in runs], games.played),
        notes=(
            *map(str, passed.notes()),
            *((kept_gettext("Segment {number} alone.", number=segment),) if segment is not None else ()),
            *notes_by_run(paths, infos, extents, asked=segment),
            *notes_of_knockouts(infos, knockouts),
            *(empty_groups(runs, games.entrants) if segment is None else ()),
            *(same_bot(names, groups) for names, groups in same_bots(pool.fingerprints).items()),
        ),
        merged=tuple(sorted(merge)),
        without=tuple(sorted(without)),
        extent=total_extent(known) if (known := [one for one in extents if one is not None]) else None,
        disqualified=tuple(dict.fromkeys(one for info in runs for one in info.disqualified)),
        withdrawn=withdrawn_entrants(runs, told_apart=pool.told_apart, segment=segment),
        brackets=brackets_of_run(_folder_of(paths[0]), knockouts[0]) if knockouts and len(paths) == 1 else {},
        knockouts=tuple(dict.fromkeys(group.name for info in knockouts for group in info.groups)),
        counted=games,
        test=_test(paths, infos) if segment is None else None,
    )


RecordSource = Iterable[AnyRecord] | str | PathLike[str] | Sequence[str | PathLike[str]]
"""What can be ranked: records, or a run or a file of records by its path, or several of these paths."""


def standings(
    records: RecordSource,
    *,
    merge: Collection[str] = (),
    without: Collection[str] = (),
    segment: int | None = None,
    weights: Mapping[str, float] | None = None,
) -> Standings:
    """Returns the standings of records, or of the runs and files that are named, as `tournament standings` gives them.

    Several runs are pooled. Records alone do not say how their tables were made up: name the run of a knockout.
    `merge` are names whose bots count as one even if their code differs; the tables of the entrants in `without` are
    left out; `segment` takes the games of one segment alone, such as a final. These three need paths.
    `weights` are the shares of the games in the championship; left out, they are those of the run, or equal. Raises
    `RecordError` and `RunError` for what cannot be read, `BotError` for a name that nobody has, and `UsageError` for
    weights that do not fit the games, for a segment without games, and when nothing is left.
    """
    if paths := named_paths(records):
        return read_sources(paths, merge=merge, without=without, segment=segment).standings(weights=weights)
    if merge or without or segment is not None:
        raise UsageError("merge, without and segment need the paths of runs or files. Give these in place of records.")
    return rank(map(result_from_record, cast(Iterable[AnyRecord], records)), weights=weights)


def named_paths(records: object) -> list[Path]:
    """Returns the paths in a source that is one or a list of them; none where the source is records."""
    if isinstance(records, str | PathLike):
        return [Path(records)]
    if isinstance(records, list | tuple) and all(isinstance(one, str | PathLike) for one in records):
        return [Path(one) for one in records]
    return []


def _test(paths: Sequence[Path], infos: Sequence[RunInfo | None]) -> RatioTest | None:
    if len(paths) != 1 or infos[0] is None or not (paths[0] / RESULTS_FILE).is_file():
        return None
    return ratio_test_of_run(paths[0], infos[0])


def read_played(
    path: Path,
    suites: Suites,
    *,
    finals: bool = False,
    passed: PassedOver | None = None,
) -> Iterator[SourcedResult]:
    """Yields the games of a run that count, or of a file of records, with what tells them apart from others.

    `finals` includes those of the finals of a run.
    """
    if (path / RESULTS_FILE).is_file():
        yield from _played_in_run(path, read_run(path), suites, finals=finals)
        return
    for record in read_short_records(path, passed):
        yield SourcedResult(
            result=result_from_record(record),
            tournament=record.tournament,
            seed=record.seed,
            fingerprints=tuple(seat.fingerprint for seat in record.seats),
            rules=(record.game.rules_version, _canonical(bytes(record.game.options))),
        )


def _of_segment(path: Path, suites: Suites, segment: int, passed: PassedOver) -> Iterator[SourcedResult]:
    is_empty = True
    for played in read_played(path, suites, finals=True, passed=passed):
        if played.result.segment == segment:
            is_empty = False
            yield played
    if is_empty:
        raise no_such_segment(path, segment)


def _played_in_run(folder: Path, info: RunInfo, suites: Suites, *, finals: bool) -> Iterator[SourcedResult]:
    """Yields the games of a run from its results, which are complete whichever records are kept."""
    fingerprints = {(entrant.name, bot.game): bot.fingerprint for entrant in info.entrants for bot in entrant.bots}
    rules = {group.name: (group.rules_version, canonical_bytes(group.options)) for group in info.groups}
    seeds = BlockSeeds(info, suites)
    for result in results_of_run(folder, info, finals=finals):
        yield SourcedResult(
            result=result,
            tournament=info.name,
            seed=seeds.seed_of(result.block),
            fingerprints=tuple(fingerprints[name, result.game] for name in result.seats),
            rules=rules[result.group],
        )


@lru_cache(maxsize=256)
def _canonical(options: bytes) -> bytes:
    return canonical_bytes(msgspec.json.decode(options))


def _folder_of(path: Path) -> Path:
    return path if path.is_dir() else records_path(path).parent


def _run_of(path: Path) -> RunInfo | None:
    """Returns `run.json` of a run, also where its file of records is named; None for any other file."""
    folder = _folder_of(path)
    return read_run(folder) if path.is_dir() or (folder / RUN_FILE).is_file() else None


def _weights(given: Sequence[Mapping[str, float]], games: Collection[str]) -> dict[str, float] | None:
    if not given or any(weights != given[0] for weights in given):
        return None
    return dict(given[0]) if set(games) <= set(given[0]) else None
