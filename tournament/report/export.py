"""Exports written to files: records, their rows, and results as PGN."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from enum import StrEnum
from functools import partial
from itertools import chain, combinations
from os import PathLike, fspath
from pathlib import Path
from textwrap import dedent
from typing import TYPE_CHECKING, Any, Final, Literal, TextIO, TypeVar

from tournament.errors import UsageError, install_advice, no_such_word
from tournament.games.contract import Ending
from tournament.ids import format_game_id, within_group
from tournament.ranking.compact.collecting import CountedGames, counted_games, in_block_order
from tournament.ranking.sources import read_sources
from tournament.records.codec import format_record
from tournament.records.results import GameResult
from tournament.report.card import ExportCounts, format_card
from tournament.report.choices import COLUMNS, ExportFormat, Rows, Seats
from tournament.report.rows import MadeRows, RowsWanted, csv_lines, make_rows, schema_of
from tournament.store.files import check_free
from tournament.store.folder import read_run
from tournament.store.layout import parse_reference
from tournament.store.lines import PassedOver, RecordLine, batches
from tournament.store.reader import find_record, record_lines, records_bytes
from tournament.text import option
from tournament.workers import WorkerPool, workers_for

if TYPE_CHECKING:  # lazy: only Parquet needs it
    import pyarrow as arrow

BATCH_ROWS: Final = 10_000
"""How many rows of a Parquet file are held in memory at a time."""

CARD_KEY: Final = "data_card"
"""The key of the data card in the metadata of a Parquet file."""

MOST_GAMES: Final = 200
MOST_REPLAYED: Final = 20
"""How many records a worker makes rows of at a time: of seats, or of moves and views, which are many."""


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
    workers: int | Literal["auto"] = 1,
) -> int:
    """Writes a table of a run, a file of records, or one game `RUN#ID`, and returns how many games are in it.

    `form` is `csv`, `json` (a row a line), `parquet` or `pgn`; `rows` are `games` (the default), `moves` or `views`,
    and `seat` is `all` or `winner`, as in `tournament export`. PGN has results instead of rows, of one `group` only.
    `out` is a file that is not there yet, unless `force`, or one that is open for writing; Parquet also writes a data
    card beside it. `read_records` gives whole records. With several `workers` so many processes make the rows, and what
    is written is the same; `auto` takes one a core for long files. A script that asks for several needs
    `if __name__ == "__main__":`. Raises `UsageError` for choices that do not fit together and
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
    if chosen is ExportFormat.PARQUET:
        if not isinstance(out, Path):
            raise UsageError(f"Parquet cannot be printed. Name a file: {option('--out')} FILE.")
        check_free(card_path(out), force=force)
    if chosen is ExportFormat.PGN:
        sources = read_sources([Path(source)], skip_bad=None if passed is None else passed.skips_bad)
        games = format_pgn(sources.results, event=sources.runs[0], group=group, counted=sources.counted)
        with _open_for_writing(out) as file:
            for game in games:
                file.write(f"{game}\n")
        return sum(len(own.games.seats) for own in sources.counted.groups if group in (None, own.games.group))
    kind = kind or Rows.GAMES
    wanted = RowsWanted(chosen, kind, seats, None if passed is None else passed.skips_bad)
    counted = ExportCounts()
    with _making(source, wanted, counted, passed=passed or PassedOver(), workers=workers) as made:
        if chosen is ExportFormat.PARQUET:
            assert isinstance(out, Path), "checked above"
            path = parse_reference(source).path
            run = read_run(path) if path.is_dir() else None
            card = partial(format_card, counted, kind=kind, seats=seats, source=fspath(source), out=out, run=run)
            _write_parquet(made, kind, out, card=card)
        else:
            with _open_for_writing(out) as file:
                if chosen is ExportFormat.CSV:
                    file.write(csv_lines([COLUMNS[kind]]))
                file.writelines(made)
    return counted.total("games")


def print_records(
    source: str | PathLike[str], file: TextIO, *, passed: PassedOver, workers: int | Literal["auto"] = 1
) -> int:
    """Writes whole records as a JSON list, or alone where one is named or a `.json` has no other; returns how many."""
    wanted = RowsWanted(ExportFormat.JSON, None, Seats.ALL, passed.skips_bad)
    counted = ExportCounts()
    with _making(source, wanted, counted, passed=passed, workers=workers) as made:
        first = next(made, "")
        second = next(made, None)
        is_alone = counted.total("games") == 1 and second is None
        if is_alone and (parse_reference(source).id is not None or Path(source).suffix == ".json"):
            file.write(f"{dedent(first)}\n")
        elif not first:
            file.write("[]\n")
        else:
            file.write(f"[\n{first}")
            for part in chain(() if second is None else (second,), made):
                file.write(f",\n{part}")
            file.write("\n]\n")
    return counted.total("games")


@contextmanager
def _making(
    source: str | PathLike[str],
    wanted: RowsWanted,
    counted: ExportCounts,
    *,
    passed: PassedOver,
    workers: int | Literal["auto"],
) -> Iterator[Iterator[Any]]:
    """Yields what gives the rows of records, ready to be written; counts them in `counted`."""
    lines = _lines_of(source, passed)
    with WorkerPool(workers_for(workers, size=records_bytes(parse_reference(source)))) as pool:
        most = MOST_GAMES if wanted.kind is Rows.GAMES else MOST_REPLAYED
        yield _made(pool.map(partial(make_rows, wanted=wanted), batches(lines, most=most)), counted, passed)


def _lines_of(source: str | PathLike[str], passed: PassedOver) -> Iterable[RecordLine]:
    reference = parse_reference(source)
    if reference.id is None:
        return record_lines(reference.path, passed)
    return [RecordLine(format_record(find_record(reference)), reference.path, 1)]


def _made(parts: Iterable[MadeRows], counted: ExportCounts, passed: PassedOver) -> Iterator[Any]:
    for part in parts:
        counted.merge(part.counts)
        passed.add(part.passed)
        if part.data:
            yield part.data
        if part.trouble is not None:
            raise part.trouble


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


def _write_parquet(made: Iterable[bytes], kind: Rows, path: Path, *, card: Callable[[], str]) -> None:
    """Writes tables as Parquet, with the data card in its metadata and in a file beside it.

    `card` is called once all rows are written.

    The file appears when it is whole. Raises `UsageError` without the extra, or where it cannot be written.
    """
    try:
        from pyarrow import parquet
    except ImportError:
        raise UsageError(f"Parquet needs its extra. {install_advice('parquet')}") from None
    waiting = path.with_name(f"{path.name}.new")
    try:
        with parquet.ParquetWriter(waiting, schema_of(kind)) as writer:
            for table in _row_groups(made):
                writer.write_table(table)
            text = card()
            writer.add_key_value_metadata({CARD_KEY: text})
        waiting.replace(path)
        card_path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        reason = error.strerror if error.errno is None else os.strerror(error.errno)  # Arrow adds what it was doing
        raise UsageError(f"{path} cannot be written: {reason}. Give another {option('--out')}.") from None
    finally:
        with suppress(OSError):  # where nothing can be written nothing can be taken away
            waiting.unlink(missing_ok=True)


def _row_groups(made: Iterable[bytes]) -> Iterator[arrow.Table]:
    """Yields tables of `BATCH_ROWS` rows, the last one perhaps shorter, however the rows came."""
    import pyarrow as arrow

    waiting: list[arrow.Table] = []
    for data in made:
        waiting.append(arrow.ipc.open_stream(data).read_all())
        while sum(len(table) for table in waiting) >= BATCH_ROWS:
            table = arrow.concat_tables(waiting)
            yield table[:BATCH_ROWS].combine_chunks()
            waiting = [table[BATCH_ROWS:]]
    if any(len(table) for table in waiting):
        yield arrow.concat_tables(waiting).combine_chunks()


def card_path(path: Path) -> Path:
    """Returns the path of the data card of a Parquet file."""
    return path.with_name(f"{path.name}.md")


def format_pgn(
    results: Iterable[GameResult], *, event: str, group: str | None = None, counted: CountedGames | None = None
) -> Iterator[str]:
    """Returns the games of complete blocks as PGN, one at a time, group by group.

    A table of more than two is written as one game for each pair of its seats, because PGN has two players. Rating
    tools count these games as independent, so the errors they print are too small. The lower seat is White. Games in
    which both forfeited are left out, because nobody got points for them. `counted` are the results that count, where
    these are known; the results are gone through once more. Raises `UsageError` for a group without
    games, and if there are several groups and none is chosen: a rating tool would take them for one game.
    """
    groups = {own.games.group: own for own in counted_games(results if counted is None else counted).groups}
    if group is None and len(groups) > 1:
        raise UsageError(
            f"A rating tool would take all groups of a file for one game, and here are {', '.join(groups)}. "
            f"Choose one: {option('--group')} {next(iter(groups))}."
        )
    if group is not None and group not in groups:
        raise UsageError(f"{option('--group')}: there is no {group}. There are: {', '.join(groups) or 'none'}.")
    chosen = list(groups.values()) if group is None else [groups[group]]
    return (game for own in chosen for game in _games(in_block_order(results, own), event=event))


def _games(results: Iterable[GameResult], *, event: str) -> Iterator[str]:
    for result in results:
        if result.ending == Ending.ABORTED:
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
