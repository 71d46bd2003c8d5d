"""How much is played, as flags."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from tournament.records.configuration import Budget

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
    from tournament.errors import UsageError
    from tournament.records.configuration import Budget

    given = [name for name, value in (("--deals", deals), ("--games", games), ("--minutes", minutes)) if value]
    if len(given) > 1:
        raise UsageError(f"{' and '.join(given)} exclude each other. Give one.")
    return Budget(deals=deals, games=games, minutes=minutes) if given else None
