"""The tables of standings: groups, championship, knockouts, seats, balance and forfeits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from tournament.records.figures import (
    TOO_FEW,
    Basis,
    format_figure,
    format_number,
    format_points,
    format_range,
    format_rating,
    format_share,
)
from tournament.records.standings import (
    Bracket,
    BracketRound,
    BracketSeat,
    ChampionshipRow,
    ChampionshipStandings,
    GroupStandings,
    Rank,
    Row,
    format_rank,
)
from tournament.report.tables import Column, ReportPart, format_basis, format_faults, numbers
from tournament.text import format_count

KNOCKOUT_LEGEND = (
    "In a knockout the place shows which round was reached, and bots that lost in the same round share it; "
    "nobody is claimed to be stronger than another."
)

NO_RATINGS = "A knockout has no ratings: results decided who met whom, so it does not measure strength."


class DrawnRound(NamedTuple):
    """A round of a knockout as it is drawn, between the rounds before and after it."""

    title: str
    slots: tuple[tuple[BracketSeat, ...], ...]
    """From top to bottom: each table, and each entrant with a bye alone."""

    byes: frozenset[str]


def drawn_rounds(bracket: Bracket) -> tuple[DrawnRound, ...]:
    """Returns the rounds, with tables next to each other whose winners meet in the next round."""
    drawn: list[DrawnRound] = []
    below: list[str] = []
    for number, one in reversed(list(enumerate(bracket.rounds, start=1))):
        place = {name: at for at, name in enumerate(below)}
        slots = sorted(_slots(one), key=lambda slot: min(place.get(seat.entrant, len(place)) for seat in slot))
        below = [seat.entrant for slot in slots for seat in slot]
        drawn.append(DrawnRound(_title(bracket, number), tuple(slots), frozenset(one.byes)))
    return tuple(reversed(drawn))


def knockout_parts(group: GroupStandings, bracket: Bracket) -> Iterator[ReportPart]:
    """Yields the table of who reached which round of a knockout, and its bracket."""
    yield _rows_part(group, bracket)
    yield _bracket_part(group, bracket)


def format_winner(bracket: Bracket) -> str:
    """Returns who won a knockout, or which round is being played."""
    return f"won by {bracket.winner}" if bracket.winner is not None else f"round {len(bracket.rounds)} is under way"


def _rows_part(group: GroupStandings, bracket: Bracket) -> ReportPart:
    faults = sum(sum(row.faults.values()) for row in group.rows)
    columns = [
        *(Column("place"), Column("entrant"), *numbers("round", "points", "wins")),
        *(*numbers("margin", drop=2), *numbers("score", drop=3), *numbers("games", drop=4)),
        *(numbers("faults") if faults else ()),
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
    title = f"{group.group}, knockout, {format_winner(bracket)}: {_format_played(group, faults)}"
    return ReportPart(title=title, columns=tuple(columns), rows=rows, lines=_fault_lines(group))


def _format_played(group: GroupStandings, faults: int) -> str:
    how_many = f"{format_count(group.games, 'game')} on {format_count(group.deals, 'deal')}"
    return f"{how_many}, {format_count(faults, 'fault') if faults else 'no faults'}"


def _fault_lines(group: GroupStandings) -> list[str]:
    return [f"{row.entrant}: {format_faults(row.faults)}" for row in group.rows if row.faults]


def _bracket_part(group: GroupStandings, bracket: Bracket) -> ReportPart:
    rounds = drawn_rounds(bracket)
    height = max(sum(len(slot) + 1 for slot in one.slots) for one in rounds)
    lines = list(zip(*(_column(one, height) for one in rounds), strict=True))
    while lines and not any(lines[-1]):
        lines.pop()
    return ReportPart(
        title=f"{group.group}, bracket: {format_winner(bracket)}",
        columns=tuple(Column(one.title, drop=len(rounds) - number) for number, one in enumerate(rounds, start=1)),
        rows=lines,
        lines=("✓ reached the next round; after each name its points at that table.",),
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
    """Returns an entrant with its points at a table, with a mark if it reached the next round."""
    points = "without playing" if is_bye else f"{round(seat.points, 2):g}"
    return f"{'✓' if seat.through else ' '} {seat.entrant}  {points}"


def seat_parts(group: GroupStandings) -> Iterator[ReportPart]:
    """Yields the table of how much each seat is worth, and that of the points of each entrant by seat."""
    yield ReportPart(
        title=f"{group.group}, seats: how much each is worth (* claimed to differ from the mean of all seats)",
        columns=(Column("seat"), *numbers("points", "effect"), Column("claimed")),
        rows=[
            (
                str(seat.seat),
                format_points(seat.points),
                format_figure(seat.effect, digits=3, signed=True),
                "*" if seat.claimed else "",
            )
            for seat in group.seats
        ],
        lines=(_variance_line(group.variance_removed),),
    )
    points = {(cell.entrant, cell.seat): cell.points for cell in group.entrants_by_seat}
    seats = range(group.players)
    yield ReportPart(
        title=f"{group.group}, points of each entrant by seat",
        columns=(Column("entrant"), *numbers(*(f"seat {seat}" for seat in seats))),
        rows=[(row.entrant, *(_cell(points.get((row.entrant, seat))) for seat in seats)) for row in group.rows],
    )


def _cell(points: float | None) -> str:
    return "" if points is None else format_number(points, digits=3)


def _variance_line(removed: float | None) -> str:
    if removed is None:
        return f"How much variance the rotations removed is unknown: {TOO_FEW}."
    if removed < 0:
        return f"The rotations of a deal repeated each other: they added {format_share(-removed)} of variance."
    saved = f"Playing every hand from every seat removed {format_share(removed)} of the variance of differences"
    if removed > 0.99:
        return f"{saved}."
    return f"{saved} (as good as {format_share(removed / (1 - removed))} more games)."


def has_letters(ranks: Iterable[Rank]) -> bool:
    """Returns whether a ranking has letters, which show who is tied."""
    return any(rank.letters for rank in ranks)


def _rank_columns(ranks: Iterable[Rank]) -> tuple[Column, ...]:
    return (Column("place"), *([Column("tied")] if has_letters(ranks) else []), Column("entrant"))


def _rank_cells(row: Row | ChampionshipRow, ranks: Iterable[Rank]) -> tuple[str, ...]:
    place = "withdrawn" if row.withdrawn else format_rank(row.rank)
    return (place, *([row.rank.letters] if has_letters(ranks) else []), row.entrant)


def group_part(group: GroupStandings) -> ReportPart:
    """Returns the standings of a group that is no knockout."""
    faults = sum(sum(row.faults.values()) for row in group.rows)
    ranks = [row.rank for row in group.rows]
    columns = [
        *_part_columns(group.parts),
        *_rank_columns(ranks),
        *(*numbers("points"), *numbers("rating", drop=1), *numbers("wins"), *numbers("margin", drop=2)),
        *(*numbers("score", drop=3), *numbers("games", drop=4), *numbers("rivals", drop=5)),
        *(numbers("faults") if faults else ()),
    ]
    rows = [
        (
            *_part_cells(group.parts, row.entrant),
            *_rank_cells(row, ranks),
            format_points(row.points),
            format_rating(row.strength or row.rating),
            format_share(row.win_share.value),
            format_number(row.margin.value, digits=1, signed=True),
            format_number(row.mean_score, digits=1),
            str(row.games),
            "" if row.opposition is None else format_number(row.opposition, digits=0),
            *([str(sum(row.faults.values()))] if faults else []),
        )
        for row in group.rows
    ]
    title = f"{group.group}: {_format_played(group, faults)}{format_basis(group.basis)}"
    return ReportPart(title=title, columns=tuple(columns), rows=rows, lines=_fault_lines(group))


def _part_columns(parts: Sequence[Sequence[str]]) -> tuple[Column, ...]:
    return (Column("part"),) if len(parts) > 1 else ()


def _part_cells(parts: Sequence[Sequence[str]], entrant: str) -> tuple[str, ...]:
    """Returns the number of the part in which an entrant is ranked, if there are several; empty text for no part."""
    if len(parts) < 2:
        return ()
    return (next((str(number) for number, part in enumerate(parts, start=1) if entrant in part), ""),)


def championship_part(championship: ChampionshipStandings) -> ReportPart:
    """Returns the standings of the championship."""
    groups = list(championship.rows[0].groups) if championship.rows else []
    ranks = [row.rank for row in championship.rows]
    shares = ", ".join(f"{game} {format_share(share)}" for game, share in championship.weights.items())
    return ReportPart(
        title=f"Championship: {shares}{format_basis(championship.basis)}",
        columns=(
            *_part_columns(championship.parts),
            *_rank_columns(ranks),
            *numbers("points", *([] if championship.basis is Basis.POINTS else ["rating"])),
            *numbers(*groups, drop=1),
        )
        if championship.rows
        else (),
        rows=[
            (
                *_part_cells(championship.parts, row.entrant),
                *_rank_cells(row, ranks),
                format_points(row.points),
                *([] if championship.basis is Basis.POINTS else [_strength(row)]),
                *(format_number(row.groups[group], digits=3) for group in groups),
            )
            for row in championship.rows
        ],
        lines=[
            *(
                f"No game of {game} counts: its share of {format_share(share)} went to the others."
                for game, share in championship.uncounted.items()
            ),
            *(
                f"{entrant} is not ranked: no game of it counts in {', '.join(missing)}."
                for entrant, missing in championship.absent.items()
            ),
        ],
    )


def _strength(row: ChampionshipRow) -> str:
    return "" if row.strength is None else format_rating(row.strength)


def balance_part(group: GroupStandings) -> ReportPart:
    """Returns how evenly the entrants of a group played."""
    balance = group.balance
    line = f"Each entrant played {format_range(balance.fewest_games, balance.most_games)} games"
    if balance.fewest_meetings is not None and balance.most_meetings is not None:
        line += f", each pair met in {format_range(balance.fewest_meetings, balance.most_meetings)}"
    seats = "everybody sat in each seat equally often" if balance.seats_even else "seats were not shared evenly"
    return ReportPart(title=f"{group.group}, balance", lines=(f"{line}, and {seats}.",))


def forfeit_part(group: GroupStandings) -> ReportPart:
    """Returns the standings of a group with and without the deals on which somebody forfeited."""
    title = f"{group.group}, with forfeits and without"
    if group.without_forfeits is None:
        return ReportPart(title=title, lines=("Nobody forfeited.",))
    clean = {row.entrant: row for row in group.without_forfeits}
    rows = []
    for row in group.rows:
        other = clean.get(row.entrant)
        rows.append(
            (
                row.entrant,
                _format_place(row, row.rank.place),
                format_points(row.points),
                "" if other is None else _format_place(row, other.place),
                format_points(other.points if other is not None else None),
                f"{row.forfeits} of {row.games}",
            )
        )
    return ReportPart(
        title=title,
        columns=(
            *(Column("entrant"), *numbers("place", "points")),
            *(*numbers("place without", drop=1), *numbers("points without", "forfeits")),
        ),
        rows=rows,
        lines=("Without: only the deals on which nobody forfeited.",),
    )


def _format_place(row: Row, place: int) -> str:
    return "withdrawn" if row.withdrawn else str(place)
