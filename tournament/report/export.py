"""Records as rows for notebooks and training, and results as PGN. The columns are explained in `choices.py`.

A row is a flat mapping of texts, numbers, truth values and lists of numbers. What belongs to one game (actions, views)
is canonical JSON in a text, so that the rows of all games fit into one table.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from enum import StrEnum
from functools import partial
from itertools import combinations, islice
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Final, TextIO, TypeVar

from tournament.errors import GameError, UsageError, install_advice, no_such_word
from tournament.games.contract import Ending
from tournament.ids import format_game_id, parse_game_id, within_group
from tournament.numbering import Numbering, numbering_of
from tournament.ranking.results import whole_blocks
from tournament.ranking.sources import read_sources
from tournament.records.codec import AnyRecord, canonical_bytes
from tournament.records.record import By, Move
from tournament.records.results import GameResult
from tournament.replaying.positions import Replay
from tournament.report.card import ExportCounts, format_card
from tournament.report.choices import COLUMNS, ExportFormat, Rows, Seats
from tournament.report.tables import csv_cell
from tournament.store.files import check_free
from tournament.store.folder import read_run
from tournament.store.layout import parse_reference
from tournament.store.lines import PassedOver
from tournament.store.reader import read_records
from tournament.text import option

BATCH_ROWS: Final = 10_000
"""How many rows of a Parquet file are held in memory at a time."""

CARD_KEY: Final = "data_card"
"""The key of the data card in the metadata of a Parquet file."""

Row = dict[str, Any]


def write_export(
    source: str | PathLike[str],
    out: str | PathLike[str] | TextIO,
    *,
    form: str = "csv",
    rows: str | None = None,
    seat: str = "all",
    group: str | None = None,
    force: bool = False,
    passed: PassedOver | None = None,
) -> int:
    """Writes a table of a run, a file of records, or one game `RUN#ID`, and returns how many games are in it.

    `form` is `csv`, `json` (a row a line), `parquet` or `pgn`; `rows` are `games` (the default), `moves` or `views`,
    and `seat` is `all` or `winner`, as in `tournament export`. PGN has results instead of rows, of one `group` only.
    `out` is a file that is not there yet, unless `force`, or one that is open for writing; Parquet also writes a data
    card beside it. `read_records` gives whole records. Raises `UsageError` for choices that do not fit together and
    for a place that is taken or cannot be written, `RecordError` and `RunError` for what cannot be read.
    """
    chosen = _word_of(ExportFormat, form, option("--format", "`form`"))
    kind = None if rows is None else _word_of(Rows, rows, option("--rows"))
    seats = _word_of(Seats, seat, option("--seat"))
    out = Path(out) if isinstance(out, str | PathLike) else out
    if chosen is ExportFormat.PGN and (kind is not None or seats is not Seats.ALL):
        raise UsageError(f"PGN has only results, no rows. Leave out {option('--rows')} and {option('--seat')}.")
    if chosen is not ExportFormat.PGN and group is not None:
        raise UsageError(
            f"{option('--group')} is only for {option('--format', '`form`')} pgn; rows have their group in "
            "a column. Leave it out."
        )
    if isinstance(out, Path):
        check_free(out, force=force)
    if chosen is ExportFormat.PGN:
        sources = read_sources([Path(source)], skip_bad=None if passed is None else passed.skips_bad)
        games = format_pgn(sources.results, event=sources.runs[0], group=group)
        with _open_for_writing(out) as file:
            for game in games:
                file.write(f"{game}\n")
        return len({(result.block, result.rotation) for result in sources.results if group in (None, result.group)})
    counted = ExportCounts()
    kind = kind or Rows.GAMES
    lines = rows_of(read_records(source, passed=passed), kind, seats=seats, counted=counted)
    if chosen is ExportFormat.PARQUET:
        if not isinstance(out, Path):
            raise UsageError(f"Parquet cannot be printed. Name a file: {option('--out')} FILE.")
        check_free(card_path(out), force=force)
        path = parse_reference(source).path
        run = read_run(path) if path.is_dir() else None
        card = partial(format_card, counted, kind=kind, seats=seats, source=fspath(source), out=out, run=run)
        write_parquet(lines, kind, out, card=card)
    else:
        with _open_for_writing(out) as file:
            if chosen is ExportFormat.CSV:
                write_csv(lines, kind, file)
            else:
                write_json(lines, file)
    return counted.total("games")


Word = TypeVar("Word", bound=StrEnum)


def _word_of(words: type[Word], text: str, name: str) -> Word:
    if text not in list(words):
        raise UsageError(no_such_word(name, text, words))
    return words(text)


@contextmanager
def _open_for_writing(out: Path | TextIO) -> Iterator[TextIO]:
    """Yields a file. Raises `UsageError` when it cannot be written."""
    try:
        with out.open("w", encoding="utf-8", newline="") if isinstance(out, Path) else nullcontext(out) as file:
            yield file
    except BrokenPipeError:  # the reader has left, which is no error
        raise
    except OSError as error:
        place = out if isinstance(out, Path) else "stdout"
        raise UsageError(f"{place} cannot be written: {error.strerror}. Give another {option('--out')}.") from None


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


def write_json(rows: Iterable[Row], file: TextIO) -> None:
    """Writes rows as JSON Lines."""
    for row in rows:
        file.write(canonical_bytes(row).decode() + "\n")


def write_csv(rows: Iterable[Row], kind: Rows, file: TextIO) -> None:
    """Writes rows as CSV; None is an empty cell, truth values are `true` and `false`, lists are JSON."""
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(COLUMNS[kind])
    for row in rows:
        writer.writerow([_csv_value(value) for value in row.values()])


def _csv_value(value: Any) -> Any:
    return canonical_bytes(value).decode() if isinstance(value, bool | list) else csv_cell(value)


def write_parquet(rows: Iterable[Row], kind: Rows, path: Path, *, card: Callable[[], str]) -> None:
    """Writes rows as Parquet, with the data card in its metadata and in a file beside it.

    `card` is called once all rows are written.

    The file appears when it is whole. Raises `UsageError` without the extra, or where it cannot be written.
    """
    try:
        import pyarrow as arrow
        from pyarrow import parquet
    except ImportError:
        raise UsageError(f"Parquet needs its extra. {install_advice('parquet')}") from None
    if path.is_dir():
        raise UsageError(f"{path} is a folder, and a file is written. Name one with {option('--out')}.")
    types = {str: arrow.string(), int: arrow.int64(), bool: arrow.bool_(), list: arrow.list_(arrow.int64())}
    schema = arrow.schema(
        arrow.field(name, types[column.type], nullable=column.optional, metadata={"description": column.meaning})
        for name, column in COLUMNS[kind].items()
    )
    rows = iter(rows)
    waiting = path.with_name(f"{path.name}.new")
    try:
        with parquet.ParquetWriter(waiting, schema) as writer:
            while batch := list(islice(rows, BATCH_ROWS)):
                writer.write_table(arrow.Table.from_pylist(batch, schema=schema))
            text = card()
            writer.add_key_value_metadata({CARD_KEY: text})
        waiting.replace(path)
        card_path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error}. Give another {option('--out')}.") from None
    finally:
        waiting.unlink(missing_ok=True)


def card_path(path: Path) -> Path:
    """Returns the path of the data card of a Parquet file."""
    return path.with_name(f"{path.name}.md")


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
            "words": walk.game.describe(event, move.seat),
        }


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


def format_pgn(results: Iterable[GameResult], *, event: str, group: str | None = None) -> Iterator[str]:
    """Yields the games of complete blocks as PGN, group by group.

    A table of more than two is written as one game for each pair of its seats, because PGN has two players. Rating
    tools count these games as independent, so the errors they print are too small. The lower seat is White. Games in
    which both forfeited are left out, because nobody got points for them. Raises `UsageError` for a group without
    games, and if there are several groups and none is chosen: a rating tool would take them for one game.
    """
    counted = whole_blocks(results).results
    groups = sorted({result.group for result in counted})
    if group is None and len(groups) > 1:
        raise UsageError(
            f"A rating tool would take all groups of a file for one game, and here are {', '.join(groups)}. "
            f"Choose one: {option('--group')} {groups[0]}."
        )
    if group is not None and group not in groups:
        raise UsageError(f"{option('--group')}: there is no {group}. There are: {', '.join(groups) or 'none'}.")
    return _games(counted, event=event, group=group)


def _games(results: Iterable[GameResult], *, event: str, group: str | None) -> Iterator[str]:
    for result in results:
        if result.ending == Ending.ABORTED or (group is not None and result.group != group):
            continue
        for white, black in combinations(range(result.players), 2):
            if white in result.forfeits and black in result.forfeits:
                continue
            score = _score(result.places[white], result.places[black])
            tags = {
                "Event": f"{event}, {result.group}",
                "Site": "?",
                "Date": "????.??.??",
                "Round": within_group(format_game_id(result.block, result.rotation)),
                "White": result.seats[white],
                "Black": result.seats[black],
                "Result": score,
            }
            lines = [f'[{name} "{_quoted(value)}"]' for name, value in tags.items()]
            yield "\n".join((*lines, "", score, "", ""))


def _score(white: int, black: int) -> str:
    return "1/2-1/2" if white == black else "1-0" if white < black else "0-1"


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
