"""`tournament run`: play a tournament."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def run_command(
    configuration: Annotated[
        Path | None,
        typer.Argument(metavar="[CONFIG.yaml]", help="A configuration.", show_default="four example bots, both games"),
    ] = None,
    game: Annotated[
        list[str] | None, typer.Option("--game", help="A game with its numbers of players, scout:3,4; repeat it.")
    ] = None,
    bots: Annotated[
        list[str] | None, typer.Option("--bots", help="A bot or a folder of bots; repeat it.", metavar="SPEC")
    ] = None,
    deals: Annotated[int | None, typer.Option("--deals", min=1, help="Blocks a table: deals each table plays.")] = None,
    seed: Annotated[str | None, typer.Option("--seed", help="The master seed; drawn when left out.")] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="The folder of the run.", show_default="records/NAME")
    ] = None,
    workers: Annotated[str | None, typer.Option("--workers", help="How many games at once: 1.")] = None,
    isolation: Annotated[str | None, typer.Option("--isolation", help="What keeps bots apart: none.")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but the folder of the run.")] = False,
) -> None:
    """Play a tournament: every table on its own deals, every deal from every seat."""
    from tournament.cli.progress import Follower
    from tournament.configuration import default_source, read_configuration, resolve, with_flags
    from tournament.deals import is_predictable
    from tournament.runner import run_tournament

    source = default_source() if configuration is None else read_configuration(configuration)
    source, notes = with_flags(
        source, games=game or (), bots=bots or (), deals=deals, seed=seed, workers=workers, isolation=isolation
    )
    resolved = resolve(source)
    if not quiet:
        for note in notes:
            typer.echo(note)
        if resolved.master_given and is_predictable(resolved.master):
            typer.echo("The seed is short: whoever knows that can predict the deals. Leave it out in a real event.")
    folder = run_tournament(resolved, out=out, observer=None if quiet else Follower())
    if quiet:
        typer.echo(folder)
