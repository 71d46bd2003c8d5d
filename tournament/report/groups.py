"""The tables of standings: groups, championship, knockouts, seats, balance and forfeits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from tournament.languages import gettext, gettext_noop, ngettext, npgettext, pgettext
from tournament.records.figures import (
    TOO_FEW,
    Basis,
    format_figure,
    format_number,
    format_points,
    format_range,
    format_rating,
    format_share,
    format_short,
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
from tournament.report.shown.words import format_kinds
from tournament.report.tables import Column, ReportPart, entrants, numbers, with_basis

KNOCKOUT_LEGEND = gettext_noop(
    "In a knockout the place shows which round was reached, and bots that lost in the same round share it; "
    "nobody is claimed to be stronger than another."
)

NO_RATINGS = gettext_noop("A knockout has no ratings: results decided who met whom, so it does not measure strength.")


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


def _rows_part(group: GroupStandings, bracket: Bracket) -> ReportPart:
    faults = sum(sum(row.faults.values()) for row in group.rows)
    columns = [
        *(Column(gettext("place")), entrants()),
        *numbers(pgettext("heading of a table", "round"), gettext("points"), gettext("wins")),
        *(*numbers(gettext("margin"), drop=2), *numbers(pgettext("points by the rules of the game", "score"), drop=3)),
        *(*numbers(gettext("games"), drop=4), *(numbers(gettext("faults")) if faults else ())),
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
    played = _format_played(group, faults)
    if bracket.winner is not None:
        title = gettext(
            "{group}, knockout, won by {winner}: {played}", group=group.group, winner=bracket.winner, played=played
        )
    else:
        title = gettext(
            "{group}, knockout, round {round} is under way: {played}",
            group=group.group,
            round=len(bracket.rounds),
            played=played,
        )
    return ReportPart(title=title, columns=tuple(columns), rows=rows, lines=_fault_lines(group))


def _format_played(group: GroupStandings, faults: int) -> str:
    return gettext(
        "{games} on {deals}, {faults}",
        games=ngettext("{count} game", "{count} games", group.games),
        deals=npgettext("after: games on", "{count} deal", "{count} deals", group.deals),
        faults=ngettext("{count} fault", "{count} faults", faults) if faults else gettext("no faults"),
    )


def _fault_lines(group: GroupStandings) -> list[str]:
    return [f"{row.entrant}: {format_kinds(row.faults)}" for row in group.rows if row.faults]


def _bracket_part(group: GroupStandings, bracket: Bracket) -> ReportPart:
    rounds = drawn_rounds(bracket)
    height = max(sum(len(slot) + 1 for slot in one.slots) for one in rounds)
    lines = list(zip(*(_column(one, height) for one in rounds), strict=True))
    while lines and not any(lines[-1]):
        lines.pop()
    if bracket.winner is not None:
        title = gettext("{group}, bracket: won by {winner}", group=group.group, winner=bracket.winner)
    else:
        title = gettext("{group}, bracket: round {round} is under way", group=group.group, round=len(bracket.rounds))
    return ReportPart(
        title=title,
        columns=tuple(Column(one.title, drop=len(rounds) - number) for number, one in enumerate(rounds, start=1)),
        rows=lines,
        lines=(gettext("✓ reached the next round, or won the final; after each name its points at that table."),),
    )


def _slots(one: BracketRound) -> list[tuple[BracketSeat, ...]]:
    return [*one.tables, *((BracketSeat(entrant=name, points=0.0, through=one.is_over),) for name in one.byes)]


def _title(bracket: Bracket, number: int) -> str:
    one = bracket.rounds[number - 1]
    is_final = len(one.tables) == 1 and not one.byes and number == len(bracket.rounds)
    return pgettext("round of a knockout", "final") if is_final else gettext("round {number}", number=number)


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
    points = gettext("without playing") if is_bye else format_seat_points(seat.points)
    return f"{'✓' if seat.through else ' '} {seat.entrant}  {points}"


def format_seat_points(points: float) -> str:
    """Returns the points at a table of a knockout, with at most two decimals."""
    return format_short(points, most_digits=2)


def seat_parts(group: GroupStandings) -> Iterator[ReportPart]:
    """Yields the table of how much each seat is worth, and that of the points of each entrant by seat."""
    yield ReportPart(
        title=gettext(
            "{group}, seats: how much each is worth (* claimed to differ from the mean of all seats)",
            group=group.group,
        ),
        columns=(
            Column(gettext("seat")),
            *numbers(gettext("points"), gettext("effect")),
            Column(pgettext("heading of a table", "claimed")),
        ),
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
        title=gettext("{group}, points of each entrant by seat", group=group.group),
        columns=(entrants(), *numbers(*(gettext("seat {seat}", seat=seat) for seat in seats))),
        rows=[(row.entrant, *(_cell(points.get((row.entrant, seat))) for seat in seats)) for row in group.rows],
    )


def _cell(points: float | None) -> str:
    return "" if points is None else format_number(points, digits=3)


def _variance_line(removed: float | None) -> str:
    if removed is None:
        return gettext("How much variance the rotations removed is unknown: {why}.", why=gettext(TOO_FEW))
    if removed < 0:
        return gettext(
            "The rotations of a deal repeated each other: they added {share} of variance.",
            share=format_share(-removed),
        )
    if removed > 0.99:
        return gettext(
            "Playing every hand from every seat removed {share} of the variance of differences.",
            share=format_share(removed),
        )
    return gettext(
        "Playing every hand from every seat removed {share} of the variance of differences "
        "(as good as {more} more games).",
        share=format_share(removed),
        more=format_share(removed / (1 - removed)),
    )


def has_letters(ranks: Iterable[Rank]) -> bool:
    """Returns whether a ranking has letters, which show who is tied."""
    return any(rank.letters for rank in ranks)


def _rank_columns(ranks: Iterable[Rank]) -> tuple[Column, ...]:
    # Translators: the column with the letters that show who is statistically tied with whom
    tied = [Column(pgettext("letters", "tied"))] if has_letters(ranks) else []
    return (Column(gettext("place")), *tied, entrants())


def _rank_cells(row: Row | ChampionshipRow, ranks: Iterable[Rank]) -> tuple[str, ...]:
    place = gettext("withdrawn") if row.withdrawn else format_rank(row.rank)
    return (place, *([row.rank.letters] if has_letters(ranks) else []), row.entrant)


def group_part(group: GroupStandings) -> ReportPart:
    """Returns the standings of a group that is no knockout."""
    faults = sum(sum(row.faults.values()) for row in group.rows)
    ranks = [row.rank for row in group.rows]
    columns = [
        *_part_columns(group.parts),
        *_rank_columns(ranks),
        *(*numbers(gettext("points")), *numbers(gettext("rating"), drop=1), *numbers(gettext("wins"))),
        *(*numbers(gettext("margin"), drop=2), *numbers(pgettext("points by the rules of the game", "score"), drop=3)),
        # Translators: "rivals" is the mean rating of those that an entrant met
        *(*numbers(gettext("games"), drop=4), *numbers(gettext("rivals"), drop=5)),
        *(numbers(gettext("faults")) if faults else ()),
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
    title = with_basis(f"{group.group}: {_format_played(group, faults)}", group.basis)
    return ReportPart(title=title, columns=tuple(columns), rows=rows, lines=_fault_lines(group))


def _part_columns(parts: Sequence[Sequence[str]]) -> tuple[Column, ...]:
    return (Column(pgettext("heading of a table", "part")),) if len(parts) > 1 else ()


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
        title=with_basis(gettext("Championship: {shares}", shares=shares), championship.basis),
        columns=(
            *_part_columns(championship.parts),
            *_rank_columns(ranks),
            *numbers(gettext("points"), *([] if championship.basis is Basis.POINTS else [gettext("rating")])),
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
                gettext(
                    "No game of {game} counts: its share of {share} went to the others.",
                    game=game,
                    share=format_share(share),
                )
                for game, share in championship.uncounted.items()
            ),
            *(
                gettext(
                    "{entrant} is not ranked: no game of it counts in {groups}.",
                    entrant=entrant,
                    groups=", ".join(missing),
                )
                for entrant, missing in championship.absent.items()
            ),
        ],
    )


def _strength(row: ChampionshipRow) -> str:
    return "" if row.strength is None else format_rating(row.strength)


def balance_part(group: GroupStandings) -> ReportPart:
    """Returns how evenly the entrants of a group played."""
    balance = group.balance
    games = format_range(balance.fewest_games, balance.most_games)
    if balance.seats_even:
        seats = gettext("everybody sat in each seat equally often")
    else:
        seats = gettext("seats were not shared evenly")
    if balance.fewest_meetings is not None and balance.most_meetings is not None:
        line = gettext(
            "Each entrant played {games} games, each pair met in {meetings}, and {seats}.",
            games=games,
            meetings=format_range(balance.fewest_meetings, balance.most_meetings),
            seats=seats,
        )
    else:
        line = gettext("Each entrant played {games} games, and {seats}.", games=games, seats=seats)
    return ReportPart(title=gettext("{group}, balance", group=group.group), lines=(line,))


def forfeit_part(group: GroupStandings) -> ReportPart:
    """Returns the standings of a group with and without the deals on which somebody forfeited."""
    title = gettext("{group}, with forfeits and without", group=group.group)
    if group.without_forfeits is None:
        return ReportPart(title=title, lines=(gettext("Nobody forfeited."),))
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
                gettext("{part} of {whole}", part=row.forfeits, whole=row.games),
            )
        )
    return ReportPart(
        title=title,
        columns=(
            *(entrants(), *numbers(gettext("place"), gettext("points"))),
            # Translators: headings; without the deals on which somebody forfeited
            *numbers(gettext("place without"), drop=1),
            *numbers(gettext("points without"), gettext("forfeits")),
        ),
        rows=rows,
        lines=(gettext("Without: only the deals on which nobody forfeited."),),
    )


def _format_place(row: Row, place: int) -> str:
    return gettext("withdrawn") if row.withdrawn else str(place)
