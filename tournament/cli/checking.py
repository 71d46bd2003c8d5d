"""`tournament bot check`: whether a bot is ready to be handed in."""

from __future__ import annotations

from typing import Annotated

import typer

from tournament.cli.building import say_build
from tournament.cli.output import Json, print_json


def check_command(
    bot: Annotated[
        str, typer.Argument(metavar="BOT", help="A bot, or CONFIG.yaml#NAME for one as it is configured there.")
    ],
    isolation: Annotated[
        str | None, typer.Option("--isolation", help="none, process or sandbox.", show_default="process")
    ] = None,
    is_command: Annotated[
        bool, typer.Option("--command", help="BOT is a command with its arguments, in quotes.")
    ] = False,
    games: Annotated[int, typer.Option("--games", min=1, help="At least so many games are played.")] = 100,
    json: Json = False,
) -> None:
    """Check a bot before it is handed in, step by step; exit code 1 when a step fails."""
    import msgspec

    from tournament.configuration import parse_isolation
    from tournament.lab.checking import check_bot, format_check

    level = None if isolation is None else parse_isolation(isolation)
    report = check_bot(bot, isolation=level, games=games, is_command=is_command, say=say_build)
    if json:
        print_json(msgspec.to_builtins(report))
    else:
        typer.echo(format_check(report))
    if not report.passed:
        raise typer.Exit(1)
