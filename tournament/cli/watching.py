"""`tournament watch`: a run as it goes, from another terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tournament.cli.output import say


def watch_command(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run.")],
    every: Annotated[float, typer.Option("--every", min=0.1, help="Seconds between two lines.")] = 2.0,
    once: Annotated[bool, typer.Option("--once", help="Say how it stands now, and end.")] = False,
) -> None:
    """Follow a run that is played now, or say how it stands."""
    from tournament.runner.watching import watch

    for line in watch(run, every=every, once=once):
        say(line)
