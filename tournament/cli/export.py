"""`tournament export`: records, and tables made of them, for other programs."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from tournament.cli.output import Force, SkipBad, check_free, choice, print_json, say
from tournament.report.choices import Rows, Seats

if TYPE_CHECKING:
    from tournament.records.run import RunInfo
    from tournament.store.lines import PassedOver


class ExportFormat(StrEnum):
    """The form of an export."""

    JSON = "json"
    CSV = "csv"
    PARQUET = "parquet"
    PGN = "pgn"


def export_command(
    source: Annotated[str, typer.Argument(metavar="RUN[#ID]", help="A run, a .jsonl, a .json, or one game of a run.")],
    format: Annotated[ExportFormat, choice(ExportFormat, "--format", help="What to write.")] = ExportFormat.JSON,  # noqa: A002
    rows: Annotated[
        Rows | None,
        choice(
            Rows, "--rows", help="What a row is: a seat of a game, a move, or a decision.", show_default="whole records"
        ),
    ] = None,
    seat: Annotated[
        Seats,
        choice(Seats, "--seat", help="Rows of all seats, or only of winners: seats in place 1 that did not forfeit."),
    ] = Seats.ALL,
    group: Annotated[
        str | None, typer.Option("--group", metavar="NAME", help="With PGN: only the games of this group.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="Where to write it. Parquet also writes FILE.md, its data card."),
    ] = None,
    force: Force = False,
    skip_bad: SkipBad = False,
) -> None:
    """Print records, tables for notebooks and training, or results as PGN for rating tools."""
    from tournament.errors import UsageError
    from tournament.report.card import ExportCounts, format_card
    from tournament.report.export import card_path, format_pgn, rows_of, write_csv, write_json, write_parquet
    from tournament.store.lines import PassedOver
    from tournament.store.reader import read_records

    passed = PassedOver(skips_bad=skip_bad)
    if format is ExportFormat.PGN:
        if rows is not None or seat is not Seats.ALL:
            raise UsageError("PGN has only results, no rows. Leave out --rows and --seat.")
        from tournament.ranking.sources import read_sources  # takes long to load

        if out is not None:
            check_free(out, force=force)
        sources = read_sources([Path(source)], skip_bad=skip_bad)
        results = format_pgn(sources.results, event=sources.runs[0], group=group)
        with _opened(out) as file:
            file.writelines(f"{result}\n" for result in results)
        return
    if group is not None:
        raise UsageError("--group is only for --format pgn; rows have their group in a column. Leave it out.")
    if rows is None and format is ExportFormat.JSON:
        if seat is not Seats.ALL:
            raise UsageError("--seat chooses among rows. Say which rows: --rows.")
        if out is not None:
            raise UsageError("--out is only for rows. Say which rows with --rows, or send the output to a file with >.")
        _tell_what_is_missing(source, games=_print_records(source, passed), passed=passed)
        return
    if out is not None:
        check_free(out, force=force)
    kind = rows or Rows.GAMES
    counted = ExportCounts()
    lines = rows_of(read_records(source, passed=passed), kind, seats=seat, counted=counted)
    if format is ExportFormat.PARQUET:
        if out is None:
            raise UsageError("Parquet cannot be printed. Name a file: --out FILE.")
        check_free(card_path(out), force=force)
        run = _run_of(source)
        card = partial(format_card, counted, kind=kind, seats=seat, source=source, out=out, run=run)
        write_parquet(lines, kind, out, card=card)
        _tell_what_is_missing(source, games=counted.total("games"), passed=passed)
        return
    with _opened(out) as file:
        if format is ExportFormat.CSV:
            write_csv(lines, kind, file)
        else:
            write_json(lines, file)
    _tell_what_is_missing(source, games=counted.total("games"), passed=passed)


@contextmanager
def _opened(out: Path | None) -> Iterator[TextIO]:
    """Yields a file to write, or stdout without one. Raises `UsageError` if it cannot be written."""
    from tournament.errors import UsageError

    try:
        with nullcontext(sys.stdout) if out is None else out.open("w", encoding="utf-8", newline="") as file:
            yield file
    except BrokenPipeError:  # the reader has left, which is no error
        raise
    except OSError as error:
        raise UsageError(f"{out or 'stdout'} cannot be written: {error.strerror}. Give another --out.") from None


def _run_of(source: str) -> RunInfo | None:
    """Returns the run that the source names, or of which it names a game; None for a file of records."""
    from tournament.store.folder import read_run
    from tournament.store.layout import parse_reference

    path = parse_reference(source).path
    return read_run(path) if path.is_dir() else None


def _tell_what_is_missing(source: str, *, games: int, passed: PassedOver) -> None:
    """Prints on stderr which records were skipped, and how many games of the run the export lacks."""
    from tournament.errors import RecordError, RunError
    from tournament.records.settings import KEEP_ALL, KEEP_NONE
    from tournament.store.folder import read_run
    from tournament.store.layout import parse_reference
    from tournament.store.results import read_results

    for note in passed.notes():
        say(str(note), err=True)
    path, record_id = parse_reference(source)
    if record_id is not None or not path.is_dir():
        return
    try:
        keep = read_run(path).keep
        if keep == KEEP_ALL:
            return
        played = sum(1 for _ in read_results(path))
    except (RecordError, RunError):  # records can be exported even if the rest of their run is unreadable
        return
    kept = "no records" if keep == KEEP_NONE else "records of some games only"
    say(f"{path} has {kept} (keep: {keep}): {games} of its {played} games are in this export.", err=True)


def _print_records(source: str, passed: PassedOver) -> int:
    """Prints whole records and returns how many there are."""
    import msgspec

    from tournament.store.layout import parse_reference
    from tournament.store.reader import read_records

    values = [msgspec.to_builtins(record, order="sorted") for record in read_records(source, passed=passed)]
    if parse_reference(source).id is not None or (Path(source).suffix == ".json" and len(values) == 1):
        print_json(values[0])
    else:
        print_json(values)
    return len(values)
