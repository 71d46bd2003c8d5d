"""The master seed as a flag, and what is said of one that is short."""

from __future__ import annotations

from typing import Annotated

import typer

Seed = Annotated[str | None, typer.Option("--seed", help="The master seed; drawn when left out.")]


def warn_of_short(master: str) -> None:
    """Says so when others could guess a master."""
    from tournament.deals import is_predictable

    if is_predictable(master):
        typer.echo("The seed is short: whoever knows that can predict the deals. Leave it out in a real event.")
