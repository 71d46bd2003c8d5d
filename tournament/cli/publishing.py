"""`tournament publish`: a copy of a run for everybody."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tournament.cli.output import say
from tournament.text import format_command, format_place


def publish_command(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A complete run.")],
    out: Annotated[Path, typer.Option("--out", metavar="FOLDER", help="Where to write the copy.")],
) -> None:
    """Copy a complete run without times, tracebacks, logs, paths and environments; it audits clean as a public copy."""
    from tournament.report.public_copy import write_public_copy

    write_public_copy(run, out)
    say(f"Written: {format_place(out)}. `{format_command('audit', out)}` checks it.")
