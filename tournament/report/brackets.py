"""A knockout drawn round beside round: for the terminal, as Markdown, and in the order in which a page shows it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tournament.records.standings import Bracket, BracketRound, BracketSeat, GroupStandings
from tournament.report.figures import (
    format_faults,
    format_number,
    format_points,
    format_rank,
    format_share,
)
from tournament.report.tables import Column, ReportPart
from tournament.text import format_count

KNOCKOUT_LEGEND = (
    "In a knockout a place is the round that was reached, and who went out in the same round shares it; "
    "nobody is claimed to be stronger than another."
)

NO_RATINGS = "A knockout has none: results decided who met whom, so it says nothing of who is how strong."


class DrawnRound(NamedTuple):
    """A round as it is drawn: from top to bottom, beside what its entrants came from and where they went."""

    title: str
    slots: tuple[tuple[BracketSeat, ...], ...]
    """Tables, and those without a table alone."""

    byes: frozenset[str]


def drawn_rounds(bracket: Bracket) -> tuple[DrawnRound, ...]:
    """Returns the rounds with tables whose winners meet next to each other."""
    drawn: list[DrawnRound] = []
    below: list[str] = []
    for number, one in reversed(list(enumerate(bracket.rounds, start=1))):
        place = {name: at for at, name in enumerate(below)}
        slots = sorted(_slots(one), key=lambda slot: min(place.get(seat.entrant, len(place)) for seat in slot))
        below = [seat.entrant for slot in slots for seat in slot]
        drawn.append(DrawnRound(_title(bracket, number), tuple(slots), frozenset(one.byes)))
    return tuple(reversed(drawn))


def knockout_parts(group: GroupStandings, bracket: Bracket) -> Iterator[ReportPart]:
    """Yields who reached which round of a knockout, and its bracket."""
    yield _rows_part(group, bracket)
    yield _bracket_part(group, bracket)


def format_winner(bracket: Bracket) -> str:
    """Returns who won a knockout, or how far it is."""
    return f"won by {bracket.winner}" if bracket.winner is not None else f"round {len(bracket.rounds)} is under way"


def _rows_part(group: GroupStandings, bracket: Bracket) -> ReportPart:
    faults = sum(sum(row.faults.values()) for row in group.rows)
    columns = [
        Column("place"),
        Column("entrant"),
        Column("round", right=True),
        Column("points", right=True),
        Column("wins", right=True),
        Column("margin", right=True, drop=2),
        Column("score", right=True, drop=3),
        Column("games", right=True, drop=4),
        *([Column("faults", right=True)] if faults else []),
    ]
    rows = [
        (
            format_rank(row.rank),
            row.entrant,
            str(row.reached),
            format_points(row.points),
            format_share(row.win_share.value),
            format_number(row.margin.value, digits=1, signed=True),
            format_number(row.mean_score, digits=1),
            str(row.games),
            *([str(sum(row.faults.values()))] if faults else []),
        )
        for row in group.rows
    ]
    how_many = f"{format_count(group.games, 'game')} on {format_count(group.deals, 'deal')}"
    return ReportPart(
        title=f"{group.group}, knockout, {format_winner(bracket)}: {how_many}, "
        f"{format_count(faults, 'fault') if faults else 'no faults'}",
        columns=tuple(columns),
        rows=rows,
        lines=[f"{row.entrant}: {format_faults(row.faults)}" for row in group.rows if row.faults],
    )


def _bracket_part(group: GroupStandings, bracket: Bracket) -> ReportPart:
    rounds = drawn_rounds(bracket)
    height = max(sum(len(slot) + 1 for slot in one.slots) for one in rounds)
    columns = [_column(one, height) for one in rounds]
    lines = [tuple(cells) for cells in zip(*columns, strict=True)]
    while lines and not any(lines[-1]):
        lines.pop()
    return ReportPart(
        title=f"{group.group}, bracket: {format_winner(bracket)}",
        columns=tuple(Column(one.title, drop=len(rounds) - number) for number, one in enumerate(rounds, start=1)),
        rows=lines,
        lines=("✓ goes on; beside a name its points at that table.",),
    )


def _slots(one: BracketRound) -> list[tuple[BracketSeat, ...]]:
    return [*one.tables, *((BracketSeat(entrant=name, points=0.0, through=one.is_over),) for name in one.byes)]


def _title(bracket: Bracket, number: int) -> str:
    one = bracket.rounds[number - 1]
    return "final" if len(one.tables) == 1 and not one.byes and number == len(bracket.rounds) else f"round {number}"


def _column(one: DrawnRound, height: int) -> list[str]:
    """Returns the lines of a round, its slots spread evenly from top to bottom."""
    lines = [""] * height
    needed = sum(len(slot) + 1 for slot in one.slots)
    above = 0
    for slot in one.slots:
        room = height * (len(slot) + 1) / needed
        first = int(above * height / needed + (room - len(slot)) / 2)
        above += len(slot) + 1
        for at, seat in enumerate(slot):
            lines[first + at] = format_seat(seat, is_bye=seat.entrant in one.byes)
    return lines


def format_seat(seat: BracketSeat, *, is_bye: bool) -> str:
    """Returns an entrant at a table with its points, marked when it goes on."""
    points = "without playing" if is_bye else f"{round(seat.points, 2):g}"
    return f"{'✓' if seat.through else ' '} {seat.entrant}  {points}"
