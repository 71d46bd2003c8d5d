"""Records as rows for notebooks and training. The columns are explained in `choices.py`.

A row is a flat mapping of texts, numbers, truth values and lists of numbers. What belongs to one game (actions, views)
is canonical JSON in a text, so that the rows of all games fit into one table. Rows are made and written out a few
records at a time, by whichever worker is free.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from tournament.errors import GameError, RecordError, UsageError
from tournament.games.contract import Ending
from tournament.ids import parse_game_id
from tournament.languages import Language, speaking
from tournament.numbering import Numbering, numbering_of
from tournament.records.codec import AnyRecord, canonical_bytes, parse_record
from tournament.records.record import By, Move
from tournament.replaying.positions import Replay
from tournament.report.card import ExportCounts
from tournament.report.choices import COLUMNS, ExportFormat, Rows, Seats
from tournament.report.tables import csv_cell
from tournament.store.lines import PassedOver, RecordLine
from tournament.store.reader import parsed
from tournament.text import printable_json

if TYPE_CHECKING:  # lazy: only Parquet needs it
    import pyarrow as arrow

Row = dict[str, Any]


class RowsWanted(NamedTuple):
    """Which rows, and in which form."""

    form: ExportFormat
    kind: Rows | None
    """None: whole records, as an indented part of a JSON list."""

    seats: Seats
    skips_bad: bool | None
    """Whether bad records are left out; None where nobody can ask for that."""


class MadeRows(NamedTuple):
    """The rows of a few records, ready to be written."""

    data: str | bytes
    """Parquet: the bytes of a table of Arrow."""

    counts: ExportCounts
    passed: PassedOver
    trouble: RecordError | None
    """What stopped the export behind these rows."""


def make_rows(lines: list[RecordLine], wanted: RowsWanted) -> MadeRows:
    """Returns the rows of the records in some lines, up to the first that cannot be read or replayed."""
    counts, passed = ExportCounts(), PassedOver(skips_bad=wanted.skips_bad)
    rows: list[Any] = []
    trouble = None
    try:
        for record in parsed(lines, _record_in, passed):
            if wanted.kind is None:
                rows.append(record)
                counts.add(record, ())
            else:
                rows += rows_of([record], wanted.kind, seats=wanted.seats, counted=counts)
    except RecordError as error:
        trouble = error
    return MadeRows(_written(rows, wanted), counts, passed, trouble)


def _record_in(line: RecordLine) -> AnyRecord:
    return parse_record(line.data, line.where)


def _written(rows: list[Any], wanted: RowsWanted) -> str | bytes:
    if wanted.kind is None:
        return ",\n".join(map(_indented, rows))
    match wanted.form:
        case ExportFormat.PARQUET:
            return _table_bytes(rows, wanted.kind)
        case ExportFormat.CSV:
            return csv_lines(row.values() for row in rows)
        case ExportFormat.JSON:
            return _json_lines(rows)
    raise UsageError(f"Rows cannot be written as {wanted.form}. Choose json, csv or parquet.")


def _indented(record: AnyRecord) -> str:
    """Returns a record as it stands in a list that is printed."""
    text = json.dumps(msgspec.to_builtins(record, order="sorted"), indent=2, ensure_ascii=False)
    return "  " + printable_json(text).replace("\n", "\n  ")


def _json_lines(rows: Iterable[Row]) -> str:
    return "".join(f"{canonical_bytes(row).decode()}\n" for row in rows)


def csv_lines(rows: Iterable[Iterable[Any]]) -> str:
    """Returns rows as CSV; None is an empty cell, truth values are `true` and `false`, lists are JSON."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    for row in rows:
        writer.writerow([_csv_value(value) for value in row])
    return file.getvalue()


def _csv_value(value: Any) -> Any:
    return canonical_bytes(value).decode() if isinstance(value, bool | list) else csv_cell(value)


def schema_of(kind: Rows) -> arrow.Schema:
    """Returns the columns of a kind of rows for Parquet, each with its meaning. Raises `ImportError`."""
    import pyarrow as arrow

    types = {str: arrow.string(), int: arrow.int64(), bool: arrow.bool_(), list: arrow.list_(arrow.int64())}
    return arrow.schema(
        arrow.field(name, types[column.type], nullable=column.optional, metadata={"description": column.meaning})
        for name, column in COLUMNS[kind].items()
    )


def _table_bytes(rows: list[Row], kind: Rows) -> bytes:
    import pyarrow as arrow

    schema = schema_of(kind)
    sink = arrow.BufferOutputStream()
    with arrow.ipc.new_stream(sink, schema) as stream:
        stream.write_table(arrow.Table.from_pylist(rows, schema=schema))
    return bytes(sink.getvalue())


def rows_of(
    records: Iterable[AnyRecord], kind: Rows, *, seats: Seats = Seats.ALL, counted: ExportCounts | None = None
) -> Iterator[Row]:
    """Yields the rows of records, with the columns of their kind, and counts them in `counted`.

    Raises `RecordError` for a record that cannot be replayed, where that is needed.
    """
    maker = {Rows.GAMES: _game_rows, Rows.MOVES: _move_rows, Rows.VIEWS: _view_rows}[kind]
    for record in records:
        rows = list(maker(record, _chosen_seats(record, seats)))
        if counted is not None:
            counted.add(record, rows)
        yield from rows


def _chosen_seats(record: AnyRecord, seats: Seats) -> Collection[int]:
    result = record.result
    if seats is Seats.ALL:
        return range(len(record.seats))
    if result.ending is not Ending.COMPLETE:
        return ()
    return [seat for seat, place in enumerate(result.places) if place == 1 and seat not in result.forfeits]


def _game_row(record: AnyRecord) -> Row:
    parts = parse_game_id(record.id)
    return {
        "id": record.id,
        "group": parts.group,
        "game": record.game.name,
        "players": record.game.players,
        "segment": parts.segment,
        "block": parts.block,
        "rotation": parts.rotation,
    }


def _step_row(record: AnyRecord, step: int, move: Move) -> Row:
    seated = {"step": step, "seat": move.seat, "entrant": record.seats[move.seat].bot}
    return {**_game_row(record), **seated, "stand_in": move.by is By.STAND_IN}


def _game_rows(record: AnyRecord, seats: Collection[int]) -> Iterator[Row]:
    result = record.result
    faults = {fault.seat: str(fault.kind) for fault in record.faults}
    for seat in seats:
        info = record.seats[seat]
        yield {
            **_game_row(record),
            "seat": seat,
            "entrant": info.bot,
            "version": info.version,
            "fingerprint": info.fingerprint,
            "score": result.scores[seat],
            "place": result.places[seat],
            "forfeited": seat in result.forfeits,
            "fault": faults.get(seat),
            "ending": str(result.ending),
            "moves": sum(move.seat == seat and move.by is None for move in record.moves),
            "seed": record.seed,
            "digest": record.digest,
        }


def _move_rows(record: AnyRecord, seats: Collection[int]) -> Iterator[Row]:
    walk = Replay.from_record(record)
    for step, move in enumerate(record.moves, start=1):
        if move.seat not in seats:
            continue
        event = walk.event_at(step)
        assert event is not None, "every step but the deal has its event"
        yield {
            **_step_row(record, step, move),
            "do": event.action.do,
            "action": canonical_bytes(event.action).decode(),
            "words": _describe(walk, event, move.seat),
        }


def _describe(walk: Replay, event: Any, seat: int) -> str:
    """Returns an event in English, whatever language the exporter reads."""
    with speaking(Language.ENGLISH):
        return walk.game.describe(event, seat)


def _view_rows(record: AnyRecord, seats: Collection[int]) -> Iterator[Row]:
    walk = Replay.from_record(record)
    numbering = numbering_of(record.game.name, record.game.players)
    for step, (state, move) in enumerate(zip(walk.states(), record.moves, strict=False)):
        if move.seat not in seats:
            continue
        event = walk.event_at(step + 1)
        assert event is not None, "a move has its event"
        view = state.view(move.seat)
        legal = list(state.legal_actions())
        numbers = _numbers_of(numbering, view, legal)
        choice = legal.index(event.action)
        yield {
            **_step_row(record, step, move),
            "view": canonical_bytes(view).decode(),
            "legal": canonical_bytes(legal).decode(),
            "legal_numbers": numbers,
            "choice": choice,
            "choice_number": None if numbers is None else numbers[choice],
            "action": canonical_bytes(event.action).decode(),
            "score": record.result.scores[move.seat],
            "place": record.result.places[move.seat],
        }


def _numbers_of(numbering: Numbering, view: Any, legal: list[Any]) -> list[int] | None:
    """Returns the numbers of actions; None if one has none, which happens only in hand-made deals."""
    try:
        return [numbering.number_of(view, action) for action in legal]
    except GameError:
        return None
