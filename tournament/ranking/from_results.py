"""The results of a run as the ranking sees them, without its records: exact whichever records are kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from tournament.ids import group_of, rotation_of, segment_of
from tournament.ranking.results import GameResult, without_entrants
from tournament.records.results import ResultLine, read_results
from tournament.records.run import GroupInfo, RunInfo


def result_from_line(line: ResultLine, group: GroupInfo) -> GameResult:
    """Returns what a ranking needs of a result; `group` is the one it was played in."""
    return GameResult(
        group=group.name,
        game=group.game,
        players=group.players,
        block=line.block,
        rotation=rotation_of(line.id),
        entrants=line.seats,
        scores=line.scores,
        places=line.places,
        forfeits=line.forfeits,
        faults=tuple((seat, str(kind)) for seat, kind in line.faults),
        ending=line.ending,
        digest=line.digest,
    )


def results_of_run(folder: Path, info: RunInfo, *, finals: bool = False) -> Iterator[GameResult]:
    """Returns the results of a run that count, one after the other; `finals`: also those of finals.

    Raises `RecordError` when they cannot be read.
    """
    return counted(results_from_lines(read_results(folder), info), info, finals=finals)


def results_from_lines(lines: Iterable[ResultLine], info: RunInfo) -> Iterator[GameResult]:
    """Yields what a ranking needs of the results of a run, also of those that do not count."""
    groups = {group.name: group for group in info.groups}
    return (result_from_line(line, groups[group_of(line.id)]) for line in lines)


def counted(results: Iterable[GameResult], info: RunInfo, *, finals: bool = False) -> Iterator[GameResult]:
    """Returns the results of the tables at which nobody sat who was disqualified: whole blocks stay whole.

    Without those of finals, unless asked for: who sat there met only the strong, and would pay for it.
    """
    if info.disqualified:
        results = without_entrants(results, {one.entrant for one in info.disqualified})
    apart = {segment.number for segment in info.segments if segment.final and not finals}
    return (result for result in results if segment_of(result.block) not in apart) if apart else iter(results)
