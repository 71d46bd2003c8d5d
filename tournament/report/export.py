"""Records as rows, for notebooks and for training: what each column means is in `docs/export.md`.

A row is a flat mapping of texts, numbers and truth values; what is a game's own (actions, views) is
canonical JSON in a text, so that rows of all games fit one table.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import Any, Final, TextIO

from tournament.errors import UsageError
from tournament.records.codec import AnyRecord, canonical_bytes
from tournament.records.model import By
from tournament.replay import replay
from tournament.report.tables import csv_cell

BATCH_ROWS: Final = 10_000
"""So many rows of Parquet are held in memory."""

Row = dict[str, Any]


class Rows(StrEnum):
    """What a row is."""

    GAMES = "games"
    """One seat of one game."""

    MOVES = "moves"
    """One move."""

    VIEWS = "views"
    """One decision: what the seat saw, what it could do, what it did."""


_GAME: Final = {"id": str, "group": str, "game": str, "players": int, "segment": int, "block": int, "rotation": int}
_SEAT: Final = {"seat": int, "entrant": str}

COLUMNS: Final[dict[Rows, dict[str, type]]] = {
    Rows.GAMES: {
        **_GAME,
        **_SEAT,
        "version": str,
        "fingerprint": str,
        "score": int,
        "place": int,
        "forfeited": bool,
        "fault": str,
        "ending": str,
        "moves": int,
        "seed": str,
        "digest": str,
    },
    Rows.MOVES: {**_GAME, "step": int, **_SEAT, "stand_in": bool, "do": str, "action": str, "words": str},
    Rows.VIEWS: {
        **_GAME,
        "step": int,
        **_SEAT,
        "stand_in": bool,
        "view": str,
        "legal": str,
        "choice": int,
        "action": str,
        "score": int,
        "place": int,
    },
}
"""The columns of each kind of rows, in order, with their types."""


def rows_of(records: Iterable[AnyRecord], kind: Rows) -> Iterator[Row]:
    """Yields the rows of records, with the columns of their kind.

    Raises `RecordError` for a record that cannot be replayed, where that is needed.
    """
    maker = {Rows.GAMES: _game_rows, Rows.MOVES: _move_rows, Rows.VIEWS: _view_rows}[kind]
    for record in records:
        yield from maker(record)


def write_json(rows: Iterable[Row], file: TextIO) -> None:
    """Writes rows as JSON Lines."""
    for row in rows:
        file.write(canonical_bytes(row).decode() + "\n")


def write_csv(rows: Iterable[Row], kind: Rows, file: TextIO) -> None:
    """Writes rows as CSV; None is an empty cell, truth values are `true` and `false`."""
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(COLUMNS[kind])
    for row in rows:
        writer.writerow([str(value).lower() if isinstance(value, bool) else csv_cell(value) for value in row.values()])


def write_parquet(rows: Iterable[Row], kind: Rows, path: Path) -> None:
    """Writes rows as Parquet. Raises `UsageError` without the extra, or where the file cannot be written."""
    try:
        import pyarrow as arrow
        from pyarrow import parquet
    except ImportError:
        raise UsageError("Parquet needs its extra: pip install '.[parquet]' in the project's folder.") from None
    types = {str: arrow.string(), int: arrow.int64(), bool: arrow.bool_()}
    schema = arrow.schema([(name, types[kind_of]) for name, kind_of in COLUMNS[kind].items()])
    rows = iter(rows)
    try:
        with parquet.ParquetWriter(path, schema) as writer:
            while batch := list(islice(rows, BATCH_ROWS)):
                writer.write_table(arrow.Table.from_pylist(batch, schema=schema))
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error}. Give another --out.") from None


def _game_row(record: AnyRecord) -> Row:
    group, segment, block, rotation = record.id.split(".")
    return {
        "id": record.id,
        "group": group,
        "game": record.game.name,
        "players": record.game.players,
        "segment": int(segment),
        "block": int(block),
        "rotation": int(rotation),
    }


def _game_rows(record: AnyRecord) -> Iterator[Row]:
    result = record.result
    faults = {fault.seat: str(fault.kind) for fault in record.faults}
    for seat, info in enumerate(record.seats):
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


def _move_rows(record: AnyRecord) -> Iterator[Row]:
    walk = replay(record)
    for step, move in enumerate(record.moves, start=1):
        event = walk.event_at(step)
        assert event is not None, "every step but the deal has its event"
        yield {
            **_game_row(record),
            "step": step,
            "seat": move.seat,
            "entrant": record.seats[move.seat].bot,
            "stand_in": move.by is By.STAND_IN,
            "do": event.action.do,
            "action": canonical_bytes(event.action).decode(),
            "words": walk.game.describe(event, move.seat),
        }


def _view_rows(record: AnyRecord) -> Iterator[Row]:
    walk = replay(record)
    for step, (state, move) in enumerate(zip(walk.states(), record.moves, strict=False)):
        event = walk.event_at(step + 1)
        assert event is not None, "a move has its event"
        legal = list(state.legal_actions())
        yield {
            **_game_row(record),
            "step": step,
            "seat": move.seat,
            "entrant": record.seats[move.seat].bot,
            "stand_in": move.by is By.STAND_IN,
            "view": canonical_bytes(state.view(move.seat)).decode(),
            "legal": canonical_bytes(legal).decode(),
            "choice": legal.index(event.action),
            "action": canonical_bytes(event.action).decode(),
            "score": record.result.scores[move.seat],
            "place": record.result.places[move.seat],
        }
