"""Options that several commands share, and the values made of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tournament.cli.output import say

if TYPE_CHECKING:
    from tournament.configuration.types import Budget
    from tournament.run.listeners import Observers
    from tournament.run.run import Run

Deals = Annotated[
    int | None, typer.Option("--deals", min=1, help="How many deals each table plays, each deal from every seat.")
]
MoreDeals = Annotated[
    int | None,
    typer.Option("--deals", min=1, help="How many more deals each table plays; with --add, each table with a new bot."),
]
Games = Annotated[int | None, typer.Option("--games", min=1, help="Instead of deals: at most this many games in all.")]
Minutes = Annotated[
    float | None,
    typer.Option("--minutes", min=0.01, help="Instead of deals: as many as fit into about this many minutes."),
]


def budget_from(*, deals: int | None, games: int | None, minutes: float | None) -> Budget | None:
    """Returns the budget that the flags give, or None. Raises `UsageError` if more than one is given."""
    from tournament.configuration.types import Budget
    from tournament.errors import UsageError

    given = [name for name, value in (("--deals", deals), ("--games", games), ("--minutes", minutes)) if value]
    if len(given) > 1:
        raise UsageError(f"{' and '.join(given)} exclude each other. Give one.")
    return Budget(deals=deals, games=games, minutes=minutes) if given else None


Build = Annotated[
    bool, typer.Option("--build", help="First run the build commands in the run's tournament.yaml. Read them before.")
]


def say_build(line: str) -> None:
    """Prints a build command on stderr before it runs."""
    say(line, err=True)


def build_when_asked(run: Path, asked: bool) -> None:
    """Builds the bots of a run, if `asked`."""
    if asked:
        from tournament.run.resuming import build_again

        build_again(run, say=say_build)


Configuration = Annotated[
    Path | None,
    typer.Argument(metavar="[CONFIG.yaml]", help="A configuration.", show_default="four example bots, both games"),
]
Workers = Annotated[
    str | None,
    typer.Option("--workers", help="How many blocks are played at once: a number, or auto for one per core."),
]
Cluster = Annotated[
    str | None,
    typer.Option(
        "--cluster", metavar="ADDRESS", help="Play on the Dask scheduler at this address; local starts one here."
    ),
]
Events = Annotated[
    Path | None, typer.Option("--events", metavar="FILE", help="Append the events of the run to a file, as JSON Lines.")
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but the folder of the run.")]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Print every block.")]


def observers(*, events: Path | None, quiet: bool, verbose: bool) -> Observers:
    """Returns what follows a run as it is played. Raises `UsageError` for both quiet and verbose."""
    from tournament.cli.progress import Follower
    from tournament.errors import UsageError
    from tournament.run.following import EventWriter
    from tournament.run.listeners import Observers

    if quiet and verbose:
        raise UsageError("--quiet and --verbose exclude each other. Give one.")
    chosen = [] if quiet else [Follower(verbose=verbose)]
    return Observers(*chosen, *([] if events is None else [EventWriter(events)]))


def say_too_many(workers: int, *, cluster: str | None = None, quiet: bool = False) -> None:
    """Prints a warning if this machine cannot run so many workers at the same time."""
    from tournament.run.crews import too_many_workers

    if cluster is None and not quiet and (text := too_many_workers(workers)) is not None:
        say(text)


def open_run(
    folder: Path,
    *,
    build: bool,
    workers: str | None,
    cluster: str | None,
    events: Path | None,
    quiet: bool,
    verbose: bool,
) -> Run:
    """Returns a run to play on, its bots built if asked. Warns if the workers are too many for this machine.

    Raises `ConfigurationError` for workers that are neither a number nor auto.
    """
    from tournament.configuration.flags import parse_workers
    from tournament.run.run import Run
    from tournament.workers import usable_cores

    build_when_asked(folder, build)
    asked = None if workers is None else parse_workers(workers)
    count = usable_cores() if asked == "auto" else asked
    if count is not None:
        say_too_many(count, cluster=cluster, quiet=quiet)
    follower = observers(events=events, quiet=quiet, verbose=verbose)
    return Run.open(folder, workers=count, cluster=cluster, observer=follower)


def check_seed(text: str | None) -> str | None:
    """Returns the text of `--seed`. Raises `ConfigurationError` if it cannot be a master seed."""
    from tournament.configuration.rules import seed_problem
    from tournament.errors import ConfigurationError

    if text is not None and (problem := seed_problem(text)) is not None:
        raise ConfigurationError(f"--seed: {problem}")
    return text


Seed = Annotated[str | None, typer.Option("--seed", callback=check_seed, help="The master seed; random if left out.")]


def warn_of_short(master: str | None) -> None:
    """Prints a warning on stderr, even when quiet, if others could guess the master seed that is given."""
    from tournament.deals import is_predictable

    if master is not None and is_predictable(master):
        text = "The seed is short: others can guess it and predict the deals. Leave it out in a real event."
        say(text, err=True)
