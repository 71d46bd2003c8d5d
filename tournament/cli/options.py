"""Options that several commands share, and the values made of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tournament.cli.output import say

if TYPE_CHECKING:
    from tournament.configuration.types import Budget
    from tournament.run import Observers

Deals = Annotated[
    int | None, typer.Option("--deals", min=1, help="Deals each table plays, each from every seat: its blocks.")
]
MoreDeals = Annotated[
    int | None,
    typer.Option("--deals", min=1, help="So many more deals each table plays; with --add, each with a new bot."),
]
Games = Annotated[int | None, typer.Option("--games", min=1, help="At most so many games in all, instead of deals.")]
Minutes = Annotated[
    float | None, typer.Option("--minutes", min=0.01, help="About so many minutes, found by a probe, instead of deals.")
]


def budget_from(*, deals: int | None, games: int | None, minutes: float | None) -> Budget | None:
    """Returns what the flags ask for; None when nothing. Raises `UsageError` for two of them."""
    from tournament.configuration.types import Budget
    from tournament.errors import UsageError

    given = [name for name, value in (("--deals", deals), ("--games", games), ("--minutes", minutes)) if value]
    if len(given) > 1:
        raise UsageError(f"{' and '.join(given)} exclude each other. Give one.")
    return Budget(deals=deals, games=games, minutes=minutes) if given else None


Build = Annotated[
    bool, typer.Option("--build", help="Build bots first, as the run's tournament.yaml says. Read it before.")
]


def say_build(line: str) -> None:
    """Prints what is about to be run, beside what the command prints."""
    say(line, err=True)


def build_when_asked(run: Path, asked: bool) -> None:
    """Builds the bots of a run when that was asked for."""
    if asked:
        from tournament.run.resuming import build_again

        build_again(run, say=say_build)


Workers = Annotated[
    str | None, typer.Option("--workers", help="How many blocks at once: a number, or auto for one a core.")
]
Cluster = Annotated[
    str | None,
    typer.Option("--cluster", metavar="ADDRESS", help="Play on a Dask scheduler there; local starts one here."),
]
Events = Annotated[
    Path | None, typer.Option("--events", metavar="FILE", help="Append what happens to a file, as JSON Lines.")
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but the folder of the run.")]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Print every block.")]


def observers(*, events: Path | None, quiet: bool, verbose: bool) -> Observers:
    """Returns who follows a run. Raises `UsageError` for both quiet and verbose."""
    from tournament.cli.progress import Follower
    from tournament.errors import UsageError
    from tournament.run import Observers
    from tournament.run.following import EventWriter

    if quiet and verbose:
        raise UsageError("--quiet and --verbose exclude each other. Give one.")
    chosen = [] if quiet else [Follower(verbose=verbose)]
    return Observers(*chosen, *([] if events is None else [EventWriter(events)]))


def say_too_many(workers: int, *, cluster: str | None = None, quiet: bool = False) -> None:
    """Prints that more workers are asked for than this machine can let play at once."""
    from tournament.run.crews import too_many_workers

    if cluster is None and not quiet and (text := too_many_workers(workers)) is not None:
        say(text)


def workers_from(text: str | None, *, cluster: str | None, quiet: bool) -> int | None:
    """Returns how many workers a flag asks for; None: as the run says. Prints that those are too many.

    Raises `ConfigurationError`.
    """
    from tournament.configuration.flags import parse_workers
    from tournament.configuration.resolving import usable_cores

    if text is None:
        return None
    parsed = parse_workers(text)
    workers = usable_cores() if parsed == "auto" else parsed
    say_too_many(workers, cluster=cluster, quiet=quiet)
    return workers


def check_seed(text: str | None) -> str | None:
    """Returns the text of a flag. Raises `ConfigurationError` for one that cannot be a master."""
    from tournament.configuration.rules import seed_problem
    from tournament.errors import ConfigurationError

    if text is not None and (problem := seed_problem(text)) is not None:
        raise ConfigurationError(f"--seed: {problem}")
    return text


Seed = Annotated[str | None, typer.Option("--seed", callback=check_seed, help="The master seed; drawn when left out.")]


def warn_of_short(master: str) -> None:
    """Says so on stderr when others could guess a master, whatever else is printed."""
    from tournament.deals import is_predictable

    if is_predictable(master):
        text = "The seed is short: whoever knows that can predict the deals. Leave it out in a real event."
        say(text, err=True)
