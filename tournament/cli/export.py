"""`tournament export`: records, and tables made of them, for other programs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tournament.cli.options import Readers, complete_game_of_run, complete_group, readers
from tournament.cli.output import Force, SkipBad, choice, say
from tournament.report.choices import ExportFormat, Rows, Seats

if TYPE_CHECKING:
    from tournament.store.lines import PassedOver


def export_command(
    source: Annotated[
        str,
        typer.Argument(
            metavar="RUN[#ID]",
            help="A run, a .jsonl, a .json, or one game of a run.",
            autocompletion=complete_game_of_run,
        ),
    ],
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
        str | None,
        typer.Option(
            "--group", metavar="NAME", help="With PGN: only the games of this group.", autocompletion=complete_group
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="Where to write it. Parquet also writes FILE.md, its data card."),
    ] = None,
    force: Force = False,
    skip_bad: SkipBad = False,
    workers: Readers = "auto",
) -> None:
    """Print records, tables for notebooks and training, or results as PGN for rating tools."""
    from tournament.errors import UsageError
    from tournament.report.export import print_records, write_export
    from tournament.store.lines import PassedOver

    passed = PassedOver(skips_bad=skip_bad)
    if rows is None and format is ExportFormat.JSON and group is None:
        if seat is not Seats.ALL:
            raise UsageError("--seat chooses among rows. Say which rows: --rows.")
        if out is not None:
            raise UsageError("--out is only for rows. Say which rows with --rows, or send the output to a file with >.")
        games = print_records(source, sys.stdout, passed=passed, workers=readers(workers))
        _tell_what_is_missing(source, games=games, passed=passed)
        return
    games = write_export(
        source,
        sys.stdout if out is None else out,
        form=format,
        rows=rows,
        seat=seat,
        group=group,
        passed=passed,
        force=force,
        workers=readers(workers),
    )
    if format is not ExportFormat.PGN:
        _tell_what_is_missing(source, games=games, passed=passed)


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
