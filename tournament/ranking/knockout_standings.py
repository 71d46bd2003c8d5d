"""The standings of a knockout: places are rounds reached, and of strength nothing is claimed.

Who went on met others than who went out, as the results had it: points compare only those at one table.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from tournament.ranking.brackets import rounds_reached
from tournament.records.basis import Basis
from tournament.records.figure import Figure
from tournament.records.standings import Bracket, CaveatKind, ChampionshipStandings, GroupStandings, Rank

_KEPT = (CaveatKind.REPEATED_GAMES,)
"""Caveats that do not speak of how sure a ranking is."""


def as_knockout(group: GroupStandings, bracket: Bracket) -> GroupStandings:
    """Returns the standings of a group by its bracket, without ratings, intervals and claims.

    Who went out in the same round shares a place. Who was disqualified has no row and takes no place from others.
    """
    reached = {
        name: number
        for name, number in rounds_reached(bracket).items()
        if any(row.entrant == name for row in group.rows)
    }
    rows = [
        replace(
            row,
            rank=_rank(row.entrant, reached),
            reached=min(reached[row.entrant], len(bracket.rounds)),
            points=_bare(row.points),
            rating=None,
            strength=None,
            opposition=None,
            win_share=_bare(row.win_share),
            margin=_bare(row.margin),
        )
        for row in group.rows
    ]
    return replace(
        group,
        rows=tuple(sorted(rows, key=lambda row: (row.rank.place, row.entrant))),
        basis=Basis.ROUNDS,
        parts=(tuple(sorted(reached)),),
        claims=None,
        meetings=tuple(replace(meeting, score=_bare(meeting.score), claimed=False) for meeting in group.meetings),
        without_forfeits=None,
        caveats=tuple(caveat for caveat in group.caveats if caveat.kind in _KEPT),
        bracket=bracket,
    )


def group_without_claims(group: GroupStandings) -> GroupStandings:
    """Returns the standings of a group in which games of a knockout are pooled with others: nothing is claimed."""
    size = len(group.rows)
    return replace(
        group,
        rows=tuple(replace(row, rank=_open(row.rank, size)) for row in group.rows),
        claims=None,
        meetings=tuple(replace(meeting, claimed=False) for meeting in group.meetings),
    )


def championship_without_claims(championship: ChampionshipStandings) -> ChampionshipStandings:
    """Returns the same of a championship over such a group."""
    size = len(championship.rows)
    rows = tuple(replace(row, rank=_open(row.rank, size)) for row in championship.rows)
    return replace(championship, rows=rows, claims=None)


def _open(rank: Rank, size: int) -> Rank:
    return Rank(place=rank.place, best_rank=1, worst_rank=size, letters="")


def _rank(entrant: str, reached: Mapping[str, int]) -> Rank:
    place = 1 + sum(other > reached[entrant] for other in reached.values())
    return Rank(place=place, best_rank=place, worst_rank=place, letters="")


def _bare(figure: Figure) -> Figure:
    return replace(figure, error=None, low=None, high=None)
