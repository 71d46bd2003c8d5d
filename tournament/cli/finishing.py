"""`tournament final`: fresh deals among those who may be first."""

from __future__ import annotations

from typing import Annotated

import typer

from tournament.cli.budgets import Deals, Games, Minutes, budget_from
from tournament.cli.building import Build, build_when_asked
from tournament.cli.following import Cluster, Events, Quiet, Verbose, Workers, observers, workers_from
from tournament.cli.output import say, terminal_width
from tournament.cli.reporting import report_after
from tournament.cli.resuming import Run
from tournament.cli.seeds import Seed, warn_of_short
from tournament.text import format_command


def final_command(
    run: Run,
    deals: Deals = None,
    games: Games = None,
    minutes: Minutes = None,
    seed: Seed = None,
    again: Annotated[bool, typer.Option("--again", help="Play one more final, beside an earlier one.")] = False,
    build: Build = False,
    workers: Workers = None,
    cluster: Cluster = None,
    events: Events = None,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Play fresh deals among those who may be first, and rank them on these alone."""
    from tournament.ranking.sources import read_sources
    from tournament.records.folder import read_run
    from tournament.report.standings import format_standings
    from tournament.runner.finals import play_final

    if seed is not None:
        warn_of_short(seed)
    build_when_asked(run, build)
    segment = play_final(
        run,
        budget=budget_from(deals=deals, games=games, minutes=minutes),
        seed=seed,
        workers=workers_from(workers, cluster=cluster, quiet=quiet),
        cluster=cluster,
        observer=observers(events=events, quiet=quiet, verbose=verbose),
        again=again,
    )
    report_after(run, quiet=quiet)
    if quiet:
        say(run)
        return
    info = read_run(run)
    played = {field.group for field in info.segments[segment].fields}
    for group in info.groups:
        if group.name not in played:
            say(f"{group.name} is not in the final: it takes {group.players}, and there are fewer finalists.")
    sources = read_sources([run], segment=segment)
    say(f"\nThe final alone ({format_command('standings', run, '--segment', segment)}):\n")
    say(format_standings(sources.standings(), notes=sources.notes, width=terminal_width()))
