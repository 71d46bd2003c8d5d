"""`tournament standings`: who is how good, and how sure that is."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tournament.cli.output import Json, print_json


def standings_command(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A run, or a file of records.")], json: Json = False
) -> None:
    """Print the standings, worked out from the records alone."""
    from tournament.report.standings import format_standings_file

    if json:
        print_json(None)
    typer.echo(format_standings_file(run))
