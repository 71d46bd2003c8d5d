"""Records from wherever a command takes them: a run, a `.jsonl`, a `.json`, or one game as `RUN#ID`.

One streaming reader for everything: replay, audit, ranking and export all start from its lines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from os import PathLike
from pathlib import Path
from typing import Final, Literal, TypeVar

import msgspec

from tournament.errors import RecordError, RunError, did_you_mean
from tournament.records.codec import AnyRecord, parse_record
from tournament.records.record import FaultKind, RecordId, Score, check_id
from tournament.records.results import RESULTS_FILE, ResultLine, has_record, parse_result, shape_misfit
from tournament.records.run import RunInfo
from tournament.records.settings import KEEP_ALL
from tournament.store.compression import COMPRESSION, damage, is_compressed, open_lines
from tournament.store.files import bounded_lines, open_regular
from tournament.store.folder import read_run
from tournament.store.layout import Reference, parse_reference, records_path
from tournament.store.lines import PassedOver, RecordLine, id_in, mend_index, offsets_of, read_lines

SKIP_BAD: Final = "--skip-bad"
"""The option of commands that go on without records that cannot be read."""

_MOST_IDS: Final = 2000
"""How many ids are kept to suggest one."""


def read_records(source: str | PathLike[str], *, passed: PassedOver | None = None) -> Iterator[AnyRecord]:
    """Yields the records of a run, a `.jsonl`, a `.json`, or the one that `RUN#ID` names.

    A torn last line is left out, and what else `PassedOver` counts. Raises `RecordError` naming the line for
    anything else that is no record, and `RunError` for a folder that is not a run.
    """
    reference = parse_reference(source)
    if reference.id is not None:
        yield find_record(reference)
        return
    yield from parsed(record_lines(reference.path, passed), lambda line: parse_record(line.data, line.where), passed)


Parsed = TypeVar("Parsed")


def parsed(
    lines: Iterable[RecordLine], parse: Callable[[RecordLine], Parsed], passed: PassedOver | None
) -> Iterator[Parsed]:
    """Yields what `parse` makes of lines; bad ones are left out where a user asked for that.

    Raises the `RecordError` of `parse`, with the option to go on where there is one.
    """
    for line in lines:
        try:
            yield parse(line)
        except RecordError as error:
            if passed is None or passed.skips_bad is None:
                raise
            if not passed.skips_bad:
                raise RecordError(f"{error} To go on without such records: {SKIP_BAD}") from None
            passed.note_bad(line)


def record_lines(path: Path, passed: PassedOver | None = None) -> Iterator[RecordLine]:
    """Yields the lines of a run or a file that hold a whole record: all but a torn last one.

    Raises `RecordError` for a file that cannot be read, and `RunError` for a folder that is not a run.
    """
    for line in read_lines(records_path(path), passed):
        if line.is_whole:
            yield line
        elif passed is not None:
            passed.note_torn(line)


def records_bytes(reference: Reference) -> int:
    """Returns about how many bytes of records a reference names; 0 for one record, and for what is no file.

    Raises what `records_path` raises.
    """
    path = records_path(reference.path)
    if reference.id is not None or not path.is_file():
        return 0
    size = path.stat().st_size
    return size * COMPRESSION if is_compressed(path) else size


def find_record(reference: Reference, *, passed: PassedOver | None = None) -> AnyRecord:
    """Returns the one record that `RUN#ID` names, by its id or by the first digits of its digest.

    A reference without an id must name a file with one record. Raises `RecordError` when there is
    none, or more than one. Cost: little with an index; else the file is read, and a run gets its index.
    """
    path = records_path(reference.path)
    wanted = reference.id
    if wanted is None:
        return _only_record(path, reference, passed)
    indexed = _indexed_record(path, wanted)
    if indexed is None and mend_index(path):
        indexed = _indexed_record(path, wanted)
    if indexed is not None:
        return indexed
    ids: list[str] = []
    for line in read_lines(path, passed):
        if wanted.encode() not in line.data:
            if len(ids) < _MOST_IDS and (found := id_in(line.data)) is not None:
                ids.append(found)
            continue
        if not line.is_whole:
            continue
        record = parse_record(line.data, line.where)
        if is_wanted(wanted, record_id=record.id, digest=record.digest):
            return record
        ids.append(record.id)

    example = f" Its first is {ids[0]}." if ids else " It has no records."
    mistyped = f'{path} has no record "{wanted}".{did_you_mean(wanted, ids) or example}'
    raise RecordError(_why_missing(path, wanted, ids=ids) or mistyped)


def _indexed_record(path: Path, wanted: str) -> AnyRecord | None:
    """Returns the record that the index finds; None without one, or where the index is of another file."""
    for offset in offsets_of(path, wanted):
        record = _record_at(path, offset, wanted)
        if record is not None:
            return record
    return None


def _only_record(path: Path, reference: Reference, passed: PassedOver | None) -> AnyRecord:
    only: AnyRecord | None = None
    for line in read_lines(path, passed):
        if not line.is_whole:
            continue
        if only is not None:
            raise RecordError(f"{path} has many records. Say which one: {reference.path}#{only.id}")
        only = parse_record(line.data, line.where)
    if only is None:
        raise RecordError(f"{path} has no record in it.{_why_empty(path)}")
    return only


def is_wanted(wanted: str, *, record_id: str, digest: str | None) -> bool:
    """Returns whether a user means a record: by its id, or by the first 6 or more digits of its digest."""
    return record_id == wanted or (len(wanted) >= 6 and (digest or "").startswith(wanted))


def _record_at(path: Path, offset: int, wanted: str) -> AnyRecord | None:
    """Returns the wanted record at an offset, or in the compressed block there; None when it is not there."""
    try:
        with open_lines(path, offset) as file, damage(path):
            for data in bounded_lines(file, path):
                if wanted.encode() in data:
                    record = parse_record(data, str(path))
                    if is_wanted(wanted, record_id=record.id, digest=record.digest):
                        return record
                if not is_compressed(path):
                    return None
    except (OSError, RecordError):
        return None  # the index is of another file: the file itself is read
    return None


_AGAIN: Final = (
    "For the records of all games play the run again with --keep all; with the same --seed it has the same deals."
)


def _why_missing(records: Path, wanted: str, *, ids: Sequence[str]) -> str | None:
    """Returns why a run's file of records, whose first games are `ids`, lacks the record of a game.

    None for a game that was not played, and for a file that belongs to no run. Raises `RecordError` for a result
    that cannot be read.
    """
    info, result = _run_of(records), _result_of(records.parent / RESULTS_FILE, wanted)
    if info is None or result is None:
        return None
    said = f'{records} has no record "{wanted}": the game was played,'
    if has_record(result, keep=info.keep):
        return f"{said} and its record was kept, but is gone. Take the file from a copy."
    first = f"; the first game that was kept is {ids[0]}" if ids else ""
    return f"{said} but not kept (keep: {info.keep}). Its result is in {records.parent / RESULTS_FILE}{first}. {_AGAIN}"


def _why_empty(records: Path) -> str:
    """Returns why the records of a run are none, with a blank before it; an empty text where the run keeps all."""
    info = _run_of(records)
    return "" if info is None or info.keep == KEEP_ALL else f" No game was kept (keep: {info.keep}). {_AGAIN}"


def _run_of(records: Path) -> RunInfo | None:
    try:
        return read_run(records.parent)
    except RunError:
        return None


def _result_of(path: Path, wanted: str) -> ResultLine | None:
    """Returns the result of a game, named by its id or the first digits of the digest of its record."""
    if not path.is_file():
        return None
    with open_regular(path) as file:
        for number, data in enumerate(bounded_lines(file, path), start=1):
            if wanted.encode() in data and data.endswith(b"\n"):
                result = parse_result(data, f"{path}, line {number}")
                if is_wanted(wanted, record_id=result.id, digest=result.digest):
                    return result
    return None


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

    Raises `RecordError` naming the line for what is no record, and `RunError` for a folder that is not a run.
    """
    return parsed(record_lines(path, passed), _parse, passed)


def _parse(line: RecordLine) -> ShortRecord:
    try:
        record = _DECODER.decode(line.data)
    except (msgspec.DecodeError, RecursionError) as error:
        raise _explained(line, error) from None
    try:
        check_id(record.id)
    except RecordError as error:
        raise RecordError(f"{line.where}: {error}") from None
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
