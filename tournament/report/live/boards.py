"""What a projector shows of a run: the standings that decide, the others, and the brackets of knockouts."""

from __future__ import annotations

from collections.abc import Iterator

from tournament.languages import gettext
from tournament.records.figures import Figure, format_number
from tournament.records.standings import Bracket, ChampionshipStandings, GroupStandings, Standings
from tournament.report.facts import RunFacts
from tournament.report.groups import drawn_rounds
from tournament.report.live.projector_pages import (
    MOST_ROWS,
    Board,
    ProjectedBracket,
    ProjectedRound,
    ProjectedRow,
    ProjectedSeat,
    last_rounds,
)
from tournament.report.shown.verdicts import format_final


def boards_of(facts: RunFacts) -> tuple[Board, ...]:
    """Returns the boards of a run, those that decide first: finals, the championship, groups without a bracket."""
    found = [
        board for number in sorted(facts.finals, reverse=True) for board in _boards(facts.finals[number], final=number)
    ]
    return (*found, *_boards(facts.standings, final=None))


def _boards(standings: Standings, *, final: int | None) -> Iterator[Board]:
    rankings: list[tuple[str, GroupStandings | ChampionshipStandings]] = []
    if standings.championship is not None:
        rankings.append((gettext("Championship"), standings.championship))
    rankings += [(group.group, group) for group in standings.groups if group.bracket is None]
    for name, ranking in rankings:
        yield _board(name if final is None else format_final(final, name), ranking)


def _board(title: str, ranking: GroupStandings | ChampionshipStandings) -> Board:
    rows = [
        ProjectedRow(place=str(row.rank.place), name=row.entrant, points=_points(row.points))
        for row in ranking.rows
        if not row.withdrawn
    ]
    return Board(title=title, rows=tuple(rows[:MOST_ROWS]))


def _points(figure: Figure) -> str:
    return format_number(figure.value, digits=3)


def brackets_of(facts: RunFacts) -> tuple[ProjectedBracket, ...]:
    """Returns the last rounds of each knockout."""
    return tuple(
        ProjectedBracket(title=group.group, rounds=_rounds(group.bracket))
        for group in facts.standings.groups
        if group.bracket is not None
    )


def _rounds(bracket: Bracket) -> tuple[ProjectedRound, ...]:
    return last_rounds(
        tuple(
            ProjectedRound(
                title=one.title,
                slots=tuple(
                    tuple(
                        ProjectedSeat(
                            name=seat.entrant,
                            points="" if seat.entrant in one.byes else f"{seat.points:.3g}",
                            through=seat.through,
                        )
                        for seat in slot
                    )
                    for slot in one.slots
                ),
            )
            for one in drawn_rounds(bracket)
        )
    )
