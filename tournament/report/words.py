"""Who won and how sure that is, in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from tournament.records.standings import (
    Bracket,
    ChampionshipRow,
    ChampionshipStandings,
    Claims,
    GroupStandings,
    Row,
    StandingsFile,
)
from tournament.report.figures import format_basis, format_points
from tournament.text import format_count


class Headline(msgspec.Struct, frozen=True, kw_only=True):
    """The head of a report, for the championship or one group."""

    name: str
    winners: tuple[str, ...]
    """Who has the most points; several when these are equal."""

    points: str
    """How many, or in a knockout how many rounds it had."""

    sure: str
    """A sentence."""


def headlines(standings: StandingsFile) -> list[Headline]:
    """Returns the headline of the championship, where there is one, and on each group."""
    groups, championship = standings.groups, standings.championship
    found: list[Headline] = []
    if championship is not None:
        found += _headlines("Championship", championship.rows, championship)
    for group in groups:
        if group.bracket is not None and group.rows:
            found.append(_headline_of_knockout(group, group.bracket))
        else:
            found += _headlines(group.group, group.rows, group)
    return found


def _headline_of_knockout(group: GroupStandings, bracket: Bracket) -> Headline:
    winners = tuple(row.entrant for row in group.rows if row.rank.place == 1)
    if bracket.winner is None:
        sure = f"Still in, in round {len(bracket.rounds)} of the knockout."
    elif winners == (bracket.winner,):
        sure = "Won the knockout. Who met whom followed from results, so nobody is claimed to be stronger than another."
    else:
        sure = f"{bracket.winner}, who won the knockout, does not count; no other of those who do came further."
    return Headline(name=group.group, winners=winners, points=format_count(len(bracket.rounds), "round"), sure=sure)


def _headlines(
    name: str, rows: Sequence[Row] | Sequence[ChampionshipRow], ranking: GroupStandings | ChampionshipStandings
) -> Iterator[Headline]:
    """Yields the headline of each part of a ranking: nobody is first of entrants that no game joins."""
    for number, part in enumerate(ranking.parts, start=1):
        of_part = [row for row in rows if row.entrant in part]
        winners = tuple(row.entrant for row in of_part if row.rank.place == 1)
        yield Headline(
            name=name if len(ranking.parts) == 1 else f"{name}, part {number}",
            winners=winners,
            points=f"{format_points(of_part[0].points)} points{format_basis(ranking.basis)}",
            sure=_how_sure(winners, of_part, ranking.claims),
        )


def _how_sure(winners: tuple[str, ...], rows: Sequence[Row | ChampionshipRow], claims: Claims | None) -> str:
    if claims is None:
        return "Too few deals to tell anybody apart."
    others = [row.entrant for row in rows if row.entrant not in winners]
    if len(winners) > 1:
        return f"{len(winners)} entrants are level."
    level = [other for other in others if not claims.holds(winners[0], other)]
    if not level:
        return "Better than everybody else, at 95 % for all comparisons together."
    if len(level) == len(others):
        return "Told apart from nobody yet, at 95 % for all comparisons together."
    names = ", ".join(level[:4]) + (f" and {len(level) - 4} more" if len(level) > 4 else "")
    return f"Not told apart from {names}, at 95 % for all comparisons together."
