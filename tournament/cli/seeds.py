"""The master seed as a flag, and what is said of one that is short."""

from __future__ import annotations

from typing import Annotated

import typer

from tournament.cli.output import say


def check_seed(text: str | None) -> str | None:
    """Returns the text of a flag. Raises `ConfigurationError` for one that cannot be a master."""
    from tournament.errors import ConfigurationError
    from tournament.records.configuration_rules import seed_problem

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
