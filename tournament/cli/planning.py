"""`tournament plan`: what a configuration would play, before anything runs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tournament.cli.budgets import Deals, Games, Minutes, budget_from
from tournament.cli.following import Workers
from tournament.cli.output import Json, print_json, print_table

if TYPE_CHECKING:
    from tournament.runner.planning import Plan


def plan_command(
    configuration: Annotated[
        Path | None,
        typer.Argument(metavar="[CONFIG.yaml]", help="A configuration.", show_default="four example bots, both games"),
    ] = None,
    deals: Deals = None,
    games: Games = None,
    minutes: Minutes = None,
    workers: Workers = None,
    json: Json = False,
) -> None:
    """Say how large a tournament would be, how long it takes, and what it could tell apart."""
    import msgspec

    from tournament.configuration import default_source, read_configuration, resolve, with_flags
    from tournament.runner.planning import plan

    source = default_source() if configuration is None else read_configuration(configuration)
    source, notes = with_flags(source, budget=budget_from(deals=deals, games=games, minutes=minutes), workers=workers)
    planned = plan(resolve(source))
    if json:
        print_json(msgspec.to_builtins(planned))
        return
    for note in notes:
        typer.echo(note)
    _print(planned)


def _print(planned: Plan) -> None:
    from tournament.runner.tally import format_seconds

    rows = [
        (
            group.group,
            group.entrants,
            group.tables,
            group.blocks,
            group.games,
            f"{group.passes:.2f}",
            "too few deals" if group.half_width is None else f"± {group.half_width:.3f}",
            "nothing" if group.tells is None else f"{group.tells:.3f}",
        )
        for group in planned.groups
    ]
    print_table(rows, ("group", "entrants", "tables", "blocks", "games", "passes", "interval to expect", "tells apart"))
    workers = "1 worker" if planned.workers == 1 else f"{planned.workers} workers"
    typer.echo(
        f"\n{planned.name}, {planned.schedule}: {planned.games} games in {planned.blocks} blocks, about "
        f"{format_seconds(planned.seconds)} with {workers}, about {_format_bytes(planned.bytes)} of records.\n"
        "Passes: how often each table is played; under 1 a balanced sample of the tables is.\n"
        "Tells apart: a true difference in points so large is claimed with a probability of 80 %."
    )


def _format_bytes(size: float) -> str:
    for unit in ("bytes", "kB", "MB", "GB"):
        if size < 1000 or unit == "GB":
            break
        size /= 1000
    return f"{size:.0f} {unit}" if size >= 10 or unit == "bytes" else f"{size:.1f} {unit}"
