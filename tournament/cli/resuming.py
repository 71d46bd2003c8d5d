"""`tournament resume` and `tournament extend`: a run that was stopped, and one that grows."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tournament.cli.budgets import Games, Minutes, MoreDeals, budget_from
from tournament.cli.building import Build, build_when_asked
from tournament.cli.following import Cluster, Events, Quiet, Verbose, Workers, observers, workers_from
from tournament.cli.output import say
from tournament.cli.reporting import report_after
from tournament.cli.seeds import Seed, warn_of_short

Run = Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run.")]
AcceptChanges = Annotated[bool, typer.Option("--accept-changes", help="Let a changed bot go on as a new entrant.")]


def resume_command(
    run: Run,
    accept_changes: AcceptChanges = False,
    play_again: Annotated[
        bool,
        typer.Option("--play-again", help="Play games again whose records are lost or damaged, or behind damage."),
    ] = False,
    build: Build = False,
    workers: Workers = None,
    cluster: Cluster = None,
    events: Events = None,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Go on with a run that was stopped, to the same records as if it had not been."""
    from tournament.runner import resume_tournament

    build_when_asked(run, build)
    folder = resume_tournament(
        run,
        accept_changes=accept_changes,
        play_again=play_again,
        workers=workers_from(workers, cluster=cluster, quiet=quiet),
        cluster=cluster,
        observer=observers(events=events, quiet=quiet, verbose=verbose),
    )
    report_after(folder, quiet=quiet)
    if quiet:
        say(folder)


def extend_command(
    run: Run,
    deals: MoreDeals = None,
    games: Games = None,
    minutes: Minutes = None,
    add: Annotated[
        list[str] | None, typer.Option("--add", metavar="SPEC", help="A new bot, at tables with all others; repeat it.")
    ] = None,
    seed: Seed = None,
    accept_changes: AcceptChanges = False,
    build: Build = False,
    workers: Workers = None,
    cluster: Cluster = None,
    events: Events = None,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Let a complete run grow: more deals, or more bots."""
    from tournament.runner import extend_tournament

    if seed is not None:
        warn_of_short(seed)
    build_when_asked(run, build)
    folder = extend_tournament(
        run,
        budget=budget_from(deals=deals, games=games, minutes=minutes),
        add=add or (),
        seed=seed,
        accept_changes=accept_changes,
        workers=workers_from(workers, cluster=cluster, quiet=quiet),
        cluster=cluster,
        observer=observers(events=events, quiet=quiet, verbose=verbose),
    )
    report_after(folder, quiet=quiet)
    if quiet:
        say(folder)
