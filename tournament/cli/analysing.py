"""`tournament analyse`: what every move of a game was worth."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from tournament.cli.output import Force, Json, check_free, print_json, say
from tournament.text import format_command, format_place


def analyse_command(
    reference: Annotated[str, typer.Argument(metavar="RUN#ID", help="A game of a run or a file; one record.")],
    seat: Annotated[
        list[int] | None,
        typer.Option("--seat", help="Judge the moves of this seat; repeat it.", show_default="all seats"),
    ] = None,
    worlds: Annotated[int, typer.Option("--worlds", metavar="N", help="How many redealt worlds a decision.")] = 200,
    with_: Annotated[
        str | None, typer.Option("--with", metavar="SPEC", help="The bot that plays on.", show_default="an example bot")
    ] = None,
    moves: Annotated[bool, typer.Option("--moves", help="Print every decision with its sensible actions.")] = False,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="Write it as JSON too: for `replay` and `report --analysis`."),
    ] = None,
    force: Force = False,
    json: Json = False,
) -> None:
    """Judge the moves of a game: which cost most, and what the deal decided."""
    import msgspec

    from tournament.lab.analysis import analyse
    from tournament.lab.telling import format_analysis, format_decisions
    from tournament.records.analysis import check_writable, write_analysis
    from tournament.records.layout import parse_reference
    from tournament.records.read import find_record

    if out is not None:
        check_free(out, force=force)
        check_writable(out)  # before it takes minutes
    record = find_record(parse_reference(reference))
    progress = _show_progress if sys.stderr.isatty() else None
    analysis = analyse(record, seats=seat or (), worlds=worlds, with_spec=with_, progress=progress)
    if progress is not None:
        typer.echo("\r\x1b[K", err=True, nl=False)
    if out is not None:
        write_analysis(analysis, out)
    if json:
        print_json(msgspec.to_builtins(analysis))
        return
    if moves:
        say(f"{format_decisions(analysis)}\n\n* was played, g is what the guide would do.\n")
    say(format_analysis(analysis))
    if out is not None:
        again = format_command("replay", reference, "--analysis", out)
        say(f"\nWritten: {format_place(out)}. Look at it with `{again}`.")


def _show_progress(done: int, total: int) -> None:
    typer.echo(f"\rJudging decision {done + 1} of {total}.", err=True, nl=False)
