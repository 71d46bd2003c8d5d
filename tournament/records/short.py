"""Records without their deals and moves: all that a ranking needs, read several times as fast."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import msgspec

from tournament.errors import RecordError
from tournament.records.codec import parse_record
from tournament.records.lines import PassedOver, RecordLine
from tournament.records.model import FaultKind, RecordId, Score, check_id
from tournament.records.read import parsed, record_lines
from tournament.records.results import shape_misfit


class ShortGame(msgspec.Struct, frozen=True, kw_only=True):
    """Which rules a record was played by; the options as they are written."""

    name: str
    players: int
    rules_version: int
    options: msgspec.Raw


class ShortSeat(msgspec.Struct, frozen=True, kw_only=True, cache_hash=True):
    """Who sat where."""

    bot: str
    version: str
    fingerprint: str


class ShortFault(msgspec.Struct, frozen=True, kw_only=True):
    """Who broke the contract, and how."""

    seat: int
    kind: FaultKind


class ShortResult(msgspec.Struct, frozen=True, kw_only=True):
    """How the game ended."""

    ending: str
    scores: tuple[Score, ...]
    places: tuple[int, ...]
    forfeits: tuple[int, ...]


class ShortRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A record without what only a replay needs; its fields are those of `Record`."""

    format: Literal["tournament-record"]
    version: Literal[1]
    id: RecordId
    tournament: str
    game: ShortGame
    seats: tuple[ShortSeat, ...]
    faults: tuple[ShortFault, ...]
    result: ShortResult
    digest: str
    seed: str | None = None


_DECODER = msgspec.json.Decoder(ShortRecord)


def read_short_records(path: Path, passed: PassedOver | None = None) -> Iterator[ShortRecord]:
    """Yields the records of a run or a file without deals and moves, which are not even checked for shape.

    Raises `RecordError` naming the line for what is no record, and `RunError` for a folder that is no run.
    """
    return parsed(record_lines(path, passed), _parse, passed)


def _parse(line: RecordLine) -> ShortRecord:
    try:
        record = _DECODER.decode(line.data)
    except (msgspec.DecodeError, RecursionError) as error:
        raise _explained(line, error) from None
    check_id(record.id, line.where)
    if misfit := _misfit(record):
        raise RecordError(f"{line.where}: {record.id}: {misfit} `tournament audit` says everything that is wrong.")
    return record


def _misfit(record: ShortRecord) -> str | None:
    if len(record.seats) != record.game.players:
        return f"expected {record.game.players} seats, found {len(record.seats)}."
    return shape_misfit(
        len(record.seats),
        scores=record.result.scores,
        places=record.result.places,
        named=(*record.result.forfeits, *(fault.seat for fault in record.faults)),
    )


def _explained(line: RecordLine, error: Exception) -> RecordError:
    try:
        parse_record(line.data, line.where)
    except RecordError as better:
        return better
    return RecordError(f"{line.where}: {error}. `tournament audit` says everything that is wrong.")
