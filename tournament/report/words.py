"""Who won and how sure that is, in sentences."""

from __future__ import annotations

import msgspec

from tournament.records.standings import Bracket, ChampionshipRow, Claims, GroupStandings, Row, StandingsFile
from tournament.report.figures import format_count, format_points


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """The head of a report, for the championship or one group."""

    name: str
    winners: tuple[str, ...]
    """Who has the most points; several when these are equal."""

    points: str
    """How many, or in a knockout how many rounds it had."""

    sure: str
    """A sentence."""


def verdicts(standings: StandingsFile) -> list[Verdict]:
    """Returns the verdict on the championship, where there is one, and on each group."""
    groups, championship, found = standings.groups, standings.championship, []
    if championship is not None and championship.rows:
        found.append(_verdict("Championship", championship.rows, championship.claims))
    return found + [
        _verdict(group.group, group.rows, group.claims)
        if group.bracket is None
        else _verdict_of_knockout(group, group.bracket)
        for group in groups
        if group.rows
    ]


def _verdict_of_knockout(group: GroupStandings, bracket: Bracket) -> Verdict:
    winners = tuple(row.entrant for row in group.rows if row.rank.place == 1)
    if bracket.winner is None:
        sure = f"Still in, in round {len(bracket.rounds)} of the knockout."
    elif winners == (bracket.winner,):
        sure = "Won the knockout. Who met whom followed from results, so nobody is claimed to be stronger than another."
    else:
        sure = f"{bracket.winner}, who won the knockout, does not count; no other of those who do came further."
    return Verdict(name=group.group, winners=winners, points=format_count(len(bracket.rounds), "round"), sure=sure)


def _verdict(name: str, rows: tuple[Row, ...] | tuple[ChampionshipRow, ...], claims: Claims | None) -> Verdict:
    winners = tuple(row.entrant for row in rows if row.rank.place == 1)
    return Verdict(
        name=name,
        winners=winners,
        points=f"{format_points(rows[0].points)} points",
        sure=_how_sure(winners, rows, claims),
    )


def _how_sure(
    winners: tuple[str, ...], rows: tuple[Row, ...] | tuple[ChampionshipRow, ...], claims: Claims | None
) -> str:
    if claims is None:
        return "Too few deals to tell anybody apart."
    others = [row.entrant for row in rows if row.entrant not in winners]
    if len(winners) > 1:
        return f"{len(winners)} entrants have the same points."
    level = [other for other in others if not claims.holds(winners[0], other)]
    if not level:
        return "Better than everybody else, at 95 % for all comparisons together."
    if len(level) == len(others):
        return "Told apart from nobody yet, at 95 % for all comparisons together."
    names = ", ".join(level[:4]) + (f" and {len(level) - 4} more" if len(level) > 4 else "")
    return f"Not told apart from {names}, at 95 % for all comparisons together."
