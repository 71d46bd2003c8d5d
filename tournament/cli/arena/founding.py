"""The commands that make an arena: `arena init`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tournament.cli.output import say
from tournament.text import format_command, format_place

NewArena = Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder of the arena: new, or empty.")]
Arena = Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder of the arena.")]


def init_command(
    folder: NewArena,
    title: Annotated[str, typer.Option("--title", help="What the site is called.")] = "Arena",
    address: Annotated[
        str | None,
        typer.Option(
            "--address",
            metavar="URL",
            help="Where people reach the site, such as https://arena.example.org.",
            show_default="http:// and what --listen says",
        ),
    ] = None,
    listen: Annotated[
        str, typer.Option("--listen", metavar="HOST:PORT", help="Where the web process listens.")
    ] = "127.0.0.1:8765",
    proxies: Annotated[
        int, typer.Option("--proxies", min=0, max=5, help="How many proxies stand before it, such as Caddy or nginx.")
    ] = 0,
    database: Annotated[
        str | None,
        typer.Option(
            "--database",
            metavar="URL",
            help="PostgreSQL, such as postgres://arena@localhost/arena; the password in PGPASSWORD or .pgpass.",
            show_default="SQLite in the folder",
        ),
    ] = None,
    time_zone: Annotated[
        str,
        typer.Option("--time-zone", metavar="ZONE", help="The zone of times on its pages, such as Europe/Warsaw."),
    ] = "UTC",
    account: Annotated[str, typer.Option("--account", metavar="NAME", help="The account of its first host.")] = "host",
) -> None:
    """Make an arena: its folder, secret and database, and the account of its first host. Asks nothing."""
    from tournament.arena.operating.founding import found_arena
    from tournament.arena.operating.settings_file import ArenaFile

    arena = ArenaFile(
        title=title,
        address=f"http://{listen}" if address is None else address,
        listen=listen,
        proxies=proxies,
        database=database,
        time_zone=time_zone,
    )
    host = found_arena(folder, arena, host=account)
    say(f"Made the arena in {format_place(folder)}. Its host, whose password is shown only now:")
    say(f"  account   {host.name}")
    say(f"  password  {host.password}")
    say("Start its site and its referee:")
    say(f"  {format_command('arena', 'start', folder)}")
