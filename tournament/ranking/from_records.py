"""Records as the ranking sees them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

from tournament.ids import block_of, group_of, rotation_of
from tournament.ranking.results import GameResult
from tournament.records.codec import AnyRecord
from tournament.records.short import ShortRecord

if TYPE_CHECKING:
    from tournament.ranking.standings import Standings


def result_from_record(record: AnyRecord | ShortRecord) -> GameResult:
    """Returns what a ranking needs of a record."""
    return GameResult(
        group=group_of(record.id),
        game=record.game.name,
        players=record.game.players,
        block=block_of(record.id),
        rotation=rotation_of(record.id),
        entrants=tuple(seat.bot for seat in record.seats),
        scores=record.result.scores,
        places=record.result.places,
        forfeits=record.result.forfeits,
        faults=tuple((fault.seat, str(fault.kind)) for fault in record.faults),
        ending=str(record.result.ending),
        digest=record.digest or "",
    )


def results_from_records(records: Iterable[AnyRecord]) -> Iterator[GameResult]:
    """Yields what a ranking needs of each record."""
    return map(result_from_record, records)


def _paths_named(given: object) -> list[Path]:
    """Returns the paths in what is one or a list of some; none in what are records."""
    if isinstance(given, str | Path):
        return [Path(given)]
    if isinstance(given, list | tuple) and all(isinstance(one, str | Path) for one in given):
        return [Path(one) for one in given]
    return []


def standings(
    records: Iterable[AnyRecord] | str | Path | Sequence[str | Path], *, weights: Mapping[str, float] | None = None
) -> Standings:
    """Returns the standings from records, or of the runs or files that are named, as `tournament standings` gives them.

    Several runs are pooled. Records alone do not say how their tables were made up: name the run of a knockout.
    `weights` are the shares of the games in the championship: when left out those of the run, or
    equal ones. Raises `RecordError`, and `UsageError` for weights that do not fit the games.
    """
    # numpy and scipy: only when a ranking is asked for
    from tournament.ranking import standings as figures
    from tournament.ranking.sources import read_sources

    paths = _paths_named(records)
    if paths:
        file = read_sources(paths).standings(weights=weights)
        return figures.Standings(groups=file.groups, championship=file.championship, left_out=file.left_out)
    return figures.standings(results_from_records(cast(Iterable[AnyRecord], records)), weights=weights)
