"""The results of a run as the ranking sees them, without its records: exact whichever records are kept."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tournament.ranking.results import GameResult
from tournament.records.results import ResultLine, read_results
from tournament.records.run import GroupInfo, RunInfo


def result_from_line(line: ResultLine, group: GroupInfo) -> GameResult:
    """Returns what a ranking needs of a result; `group` is the one it was played in."""
    block, _, rotation = line.id.rpartition(".")
    return GameResult(
        group=group.name,
        game=group.game,
        players=group.players,
        block=block,
        rotation=int(rotation),
        entrants=line.seats,
        scores=line.scores,
        places=line.places,
        forfeits=line.forfeits,
        faults=tuple((seat, str(kind)) for seat, kind in line.faults),
        ending=line.ending,
        digest=line.digest,
    )


def results_of_run(folder: Path, info: RunInfo) -> Iterator[GameResult]:
    """Yields the results of a run. Raises `RecordError` when they cannot be read."""
    groups = {group.name: group for group in info.groups}
    for line in read_results(folder):
        yield result_from_line(line, groups[line.id.partition(".")[0]])
