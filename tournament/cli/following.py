"""How commands that play are followed: on the terminal, in a file of events, or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tournament.cli.output import say

if TYPE_CHECKING:
    from tournament.runner import Observers

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
    from tournament.runner import Observers
    from tournament.runner.events import EventWriter

    if quiet and verbose:
        raise UsageError("--quiet and --verbose exclude each other. Give one.")
    chosen = [] if quiet else [Follower(verbose=verbose)]
    return Observers(*chosen, *([] if events is None else [EventWriter(events)]))


def say_too_many(workers: int, *, cluster: str | None = None, quiet: bool = False) -> None:
    """Prints that more workers are asked for than this machine can let play at once."""
    from tournament.runner.cores import too_many_workers

    if cluster is None and not quiet and (text := too_many_workers(workers)) is not None:
        say(text)


def workers_from(text: str | None, *, cluster: str | None, quiet: bool) -> int | None:
    """Returns how many workers a flag asks for; None: as the run says. Prints that those are too many.

    Raises `ConfigurationError`.
    """
    from tournament.configuration import parse_workers, usable_cores

    if text is None:
        return None
    parsed = parse_workers(text)
    workers = usable_cores() if parsed == "auto" else parsed
    say_too_many(workers, cluster=cluster, quiet=quiet)
    return workers
