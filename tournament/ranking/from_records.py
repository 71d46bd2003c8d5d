"""Records as the ranking sees them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from tournament.ranking.results import GameResult
from tournament.records.codec import AnyRecord
from tournament.records.read import read_records
from tournament.records.short import ShortRecord

if TYPE_CHECKING:
    from tournament.ranking.standings import Standings


def result_from_record(record: AnyRecord | ShortRecord) -> GameResult:
    """Returns what a ranking needs of a record."""
    block, _, rotation = record.id.rpartition(".")
    return GameResult(
        group=block.split(".", 1)[0],
        game=record.game.name,
        players=record.game.players,
        block=block,
        rotation=int(rotation),
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


def standings(records: Iterable[AnyRecord] | str | Path, *, weights: Mapping[str, float] | None = None) -> Standings:
    """Returns the standings from records, or from the run or file that is named.

    `weights` are the shares of the games in the championship, equal when left out. Raises
    `RecordError`, and `UsageError` for weights that do not fit the games.
    """
    from tournament.ranking import standings as figures  # numpy and scipy: only when a ranking is asked for

    given = read_records(records) if isinstance(records, str | Path) else records
    return figures.standings(results_from_records(given), weights=weights)
