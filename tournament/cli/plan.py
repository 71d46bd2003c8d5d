"""`tournament plan`: what a configuration would play, before anything runs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from tournament.cli.options import Configuration, Deals, Games, Minutes, Workers, budget_from, say_build, say_too_many
from tournament.cli.output import Json, print_json, print_table, say

if TYPE_CHECKING:
    from tournament.run.planning import GroupPlan, Plan

_NAMED: Final = 5


def plan_command(
    configuration: Configuration = None,
    deals: Deals = None,
    games: Games = None,
    minutes: Minutes = None,
    workers: Workers = None,
    json: Json = False,
) -> None:
    """Show how large a tournament would be, how long it would take, and how precise its ranking would be."""
    from tournament.configuration.bots import build
    from tournament.configuration.file import default_source, read_configuration
    from tournament.configuration.flags import with_flags
    from tournament.configuration.resolving import resolve
    from tournament.run.planning import plan

    source = default_source() if configuration is None else read_configuration(configuration)
    source, notes = with_flags(source, budget=budget_from(deals=deals, games=games, minutes=minutes), workers=workers)
    build(source, say=say_build)
    resolved = resolve(source)
    planned = plan(resolved)
    if json:
        print_json(planned)
        return
    for note in (*notes, *resolved.notices):
        say(note)
    for name, why in planned.cannot_start.items():
        say(f"{name} cannot start: {why}")
    say_too_many(planned.workers)
    _print(planned)


def _print(planned: Plan) -> None:
    from tournament.records.settings import NEVER, format_withdrawal_rule
    from tournament.run.following import format_seconds

    rows = [
        (
            group.group,
            group.entrants,
            group.tables,
            group.blocks,
            group.games,
            f"{group.passes:.2f}",
            _format_widths(group),
            "nothing" if group.tells is None else f"{group.tells:.3f}",
        )
        for group in planned.groups
    ]
    print_table(rows, ("group", "entrants", "tables", "blocks", "games", "passes", "expected interval", "detects"))
    for line in (line for group in planned.groups for line in _lines_of_unequal(group)):
        say(line)
    workers = "1 worker" if planned.workers == 1 else f"{planned.workers} workers"
    if planned.at_once < planned.workers:
        workers += f", {planned.at_once} at a time"
    seconds = max(planned.seconds, 1.0)  # "about 0 s" would look wrong
    say(
        f"\n{planned.name}, {planned.schedule}: {planned.games} games in {planned.blocks} blocks, about "
        f"{format_seconds(seconds)} with {workers}, about {_format_bytes(planned.bytes)} of records.\n"
        "Passes: how often each table is played; below 1, a balanced sample of the tables is played.\n"
        f"{_TELLS[planned.schedule]}"
    )
    say(f"{format_withdrawal_rule(planned.withdraw)}{_REPLACED if planned.withdraw != NEVER else ''}")


_REPLACED: Final = " Its remaining blocks are replaced by blocks of the other bots."
_TELLS: Final = {
    "round-robin": "Detects: a true difference in points of this size is claimed with a probability of 80 %.",
    "gauntlet": (
        "Detects: a true difference of this size, in points between a focus bot and another at the tables where "
        "both sit, is claimed with a probability of 80 %. The others meet only focus bots, so they are compared with "
        "each other by rating."
    ),
    "knockout": (
        "A knockout names a winner, and claims nobody to be stronger than another. The interval is that of bots that "
        "lose in the first round; the others play more."
    ),
}


def _lines_of_unequal(group: GroupPlan) -> Iterator[str]:
    """Yields the interval to expect for each entrant, most blocks first, if some play more blocks than others."""
    alike = _alike(group)
    if len(alike) == 1:
        return
    yield f"\n{group.group}, expected interval:"
    for (blocks, width), names in sorted(alike.items(), key=lambda item: -item[0][0]):
        more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
        each = "" if len(names) == 1 else " each"
        yield f"  {', '.join(names[:_NAMED])}{more}: {blocks} deals{each}, {width}"


def _format_widths(group: GroupPlan) -> str:
    alike = _alike(group)
    return "by bot, below" if len(alike) > 1 else next(width for _, width in alike)


def _alike(group: GroupPlan) -> dict[tuple[int, str], list[str]]:
    """Returns the entrants by their number of blocks and the interval to expect."""
    alike: dict[tuple[int, str], list[str]] = {}
    for one in group.each:
        alike.setdefault((one.blocks, _format_width(one.half_width)), []).append(one.entrant)
    return alike


def _format_width(half_width: float | None) -> str:
    return "too few deals" if half_width is None else f"± {half_width:.3f}"


def _format_bytes(size: float) -> str:
    for unit in ("bytes", "kB", "MB", "GB"):
        if size < 1000 or unit == "GB":
            break
        size /= 1000
    return f"{size:.0f} {unit}" if size >= 10 or unit == "bytes" else f"{size:.1f} {unit}"
