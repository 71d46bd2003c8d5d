"""What is said of bots that are built, and the option that asks for it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tournament.cli.output import say

Build = Annotated[
    bool, typer.Option("--build", help="Build bots first, as the run's tournament.yaml says. Read it before.")
]


def say_build(line: str) -> None:
    """Prints what is about to be run, beside what the command prints."""
    say(line, err=True)


def build_when_asked(run: Path, asked: bool) -> None:
    """Builds the bots of a run when that was asked for."""
    if asked:
        from tournament.runner.resuming import build_again

        build_again(run, say=say_build)
