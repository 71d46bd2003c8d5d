"""`tournament bot`: what can play."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tournament.cli import checking, starting
from tournament.cli.output import Json, print_json, print_table, say

app = typer.Typer(no_args_is_help=True, help="Bots: list them, check one, begin one.")


@app.callback()
def _bots() -> None:
    """Bots: list them, check one, begin one."""


app.command("check")(checking.check_command)
app.command("new")(starting.new_command)


@app.command("list")
def list_command(
    spec: Annotated[
        str | None,
        typer.Argument(help="A folder, a file, a pattern, a module or an installed name.", show_default="the examples"),
    ] = None,
    json: Json = False,
) -> None:
    """List the bots that a spec names, without running any of them; exit code 4 when a file of a folder is broken."""
    from tournament.configuration.resolving import passed_over_notices
    from tournament.entrants import entrants_from
    from tournament.errors import BotError
    from tournament.records.paths import data_folder

    unread: list[BotError] = []
    passed_over: list[str] = []
    entrants = entrants_from(
        [spec if spec is not None else str(data_folder("bots"))],
        base=Path.cwd(),
        unread=unread,
        passed_over=passed_over,
    )
    rows = [
        (entrant.name, ", ".join(bot.games) or "every game", bot.version, bot.fingerprint[:12], bot.path)
        for entrant in entrants
        for bot in entrant.bots
    ]
    if json:
        names = ("name", "games", "version", "fingerprint", "path")
        print_json(
            [
                dict(zip(names, (entrant.name, bot.games, bot.version, bot.fingerprint, bot.path), strict=True))
                for entrant in entrants
                for bot in entrant.bots
            ]
        )
    elif rows:
        print_table(rows, ("name", "plays", "version", "fingerprint", "file"))
    for notice in () if spec is None else passed_over_notices(passed_over):
        say(notice, err=True)
    if unread:
        raise BotError("\n".join(map(str, unread)))
