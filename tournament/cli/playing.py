"""`tournament run`: play a tournament."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tournament.cli.budgets import Deals, Games, Minutes, budget_from
from tournament.cli.building import say_build
from tournament.cli.following import Cluster, Events, Quiet, Verbose, Workers, observers, say_too_many
from tournament.cli.output import say
from tournament.cli.reporting import report_after
from tournament.cli.seeds import Seed, warn_of_short


def run_command(
    configuration: Annotated[
        Path | None,
        typer.Argument(metavar="[CONFIG.yaml]", help="A configuration.", show_default="four example bots, both games"),
    ] = None,
    game: Annotated[
        list[str] | None, typer.Option("--game", help="A game with its numbers of players, scout:3,4; repeat it.")
    ] = None,
    bots: Annotated[
        list[str] | None,
        typer.Option("--bots", help="A bot or a folder of bots, or several with commas; repeat it.", metavar="SPEC"),
    ] = None,
    schedule: Annotated[
        str | None, typer.Option("--schedule", help="round-robin, gauntlet or knockout.", show_default="round-robin")
    ] = None,
    focus: Annotated[
        list[str] | None, typer.Option("--focus", metavar="BOT", help="In a gauntlet, who meets the field; repeat it.")
    ] = None,
    deals: Deals = None,
    games: Games = None,
    minutes: Minutes = None,
    seed: Seed = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="The folder of the run.", show_default="records/NAME")
    ] = None,
    workers: Workers = None,
    cluster: Cluster = None,
    withdraw: Annotated[
        str | None,
        typer.Option(
            "--withdraw",
            help="When a failing bot is taken out: never, or starts=2,games=3,share=1%.",
            show_default="starts=2,games=3,share=1%",
        ),
    ] = None,
    isolation: Annotated[
        str | None, typer.Option("--isolation", help="What keeps bots apart: none, process or sandbox.")
    ] = None,
    allow_mixed: Annotated[bool, typer.Option("--allow-mixed", help="Let bots of isolation none meet others.")] = False,
    trace: Annotated[
        list[str] | None,
        typer.Option("--trace", help="Keep every line sent to a bot and received, in logs/; repeat it.", metavar="BOT"),
    ] = None,
    keep: Annotated[
        str | None,
        typer.Option("--keep", help="Records to keep: all, faults, sample:1%, none.", show_default="all"),
    ] = None,
    compress: Annotated[bool | None, typer.Option("--compress", help="Compress the records.")] = None,
    events: Events = None,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Play a tournament: every table on its own deals, every deal from every seat."""
    from tournament.configuration import build, default_source, read_configuration, resolve, with_flags
    from tournament.runner import run_tournament

    source = default_source() if configuration is None else read_configuration(configuration)
    source, notes = with_flags(
        source,
        games=game or (),
        bots=bots or (),
        schedule=schedule,
        focus=focus or (),
        budget=budget_from(deals=deals, games=games, minutes=minutes),
        seed=seed,
        workers=workers,
        keep=keep,
        compress=compress,
        withdraw=withdraw,
        isolation=isolation,
        allow_mixed=allow_mixed,
        trace=trace or (),
    )
    build(source, say=say_build)
    resolved = resolve(source)
    if not quiet:
        for note in notes:
            say(note)
        for notice in resolved.notices:
            say(notice)
    say_too_many(resolved.workers, cluster=cluster, quiet=quiet)
    if resolved.master_given:
        warn_of_short(resolved.master)
    follower = observers(events=events, quiet=quiet, verbose=verbose)
    folder = run_tournament(resolved, out=out, cluster=cluster, observer=follower)
    report_after(folder, quiet=quiet)
    if quiet:
        say(folder)
