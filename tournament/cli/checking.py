"""`tournament bot check`: whether a bot is ready to be handed in."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tournament.cli.building import say_build
from tournament.cli.output import Json, print_json, say


def check_command(
    bot: Annotated[
        str,
        typer.Argument(
            metavar="BOT", help="A bot, CONFIG.yaml#NAME for one as it is configured there, or CONFIG.yaml for all."
        ),
    ],
    isolation: Annotated[
        str | None, typer.Option("--isolation", help="none, process or sandbox.", show_default="process")
    ] = None,
    is_command: Annotated[
        bool, typer.Option("--command", help="BOT is a command with its arguments, in quotes.")
    ] = False,
    games: Annotated[
        int, typer.Option("--games", min=1, help="At least so many games are played, and of each kind some.")
    ] = 100,
    json: Json = False,
) -> None:
    """Check a bot before it is handed in, step by step; exit code 1 when a step fails."""
    import msgspec

    from tournament.configuration import parse_isolation
    from tournament.lab.checking import check_bot, check_bots
    from tournament.lab.checking_choice import is_whole_configuration
    from tournament.lab.checking_report import format_check, format_checks

    level = None if isolation is None else parse_isolation(isolation)
    if is_whole_configuration(bot) and not is_command:
        reports = []
        for one in check_bots(Path(bot), isolation=level, games=games, say=say_build):
            reports.append(one)
            if not json:
                say(f"{format_check(one)}\n")
        passed = all(one.passed for one in reports)
        if json:
            print_json({"passed": passed, "bots": msgspec.to_builtins(reports)})
        else:
            say(format_checks(reports))
    else:
        report = check_bot(bot, isolation=level, games=games, is_command=is_command, say=say_build)
        passed = report.passed
        if json:
            print_json(msgspec.to_builtins(report))
        else:
            say(format_check(report))
    if not passed:
        raise typer.Exit(1)
