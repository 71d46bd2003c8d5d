"""Standings as rows of CSV, with every number in full."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from tournament.records.basis import Basis
from tournament.records.figure import Figure
from tournament.records.standings import ChampionshipRow, Rank, Row, StandingsFile
from tournament.report.tables import Value

STANDINGS_HEADERS: Final = (
    *("group", "place", "best_rank", "worst_rank", "letters", "entrant"),
    *("points", "points_error", "points_low", "points_high"),
    *("basis", "part", "strength", "strength_error", "strength_low", "strength_high", "opposition"),
    *("rating", "rating_error", "rating_low", "rating_high"),
    *("win_share", "win_share_low", "win_share_high", "margin", "margin_low", "margin_high", "mean_score"),
    *("games", "deals", "forfeits", "faults", "withdrawn", "interim"),
)


def standings_rows(file: StandingsFile) -> Iterator[Sequence[Value]]:
    """Yields a row for each entrant of each group, then of the championship."""
    for group in file.groups:
        for row in group.rows:
            rating = (None,) * 4 if row.rating is None else _figure(row.rating)
            yield (
                *_rank(group.group, row.rank),
                row.entrant,
                *_figure(row.points),
                *_basis(group.basis, group.parts, row),
                row.opposition,
                *rating,
                row.win_share.value,
                row.win_share.low,
                row.win_share.high,
                row.margin.value,
                row.margin.low,
                row.margin.high,
                row.mean_score,
                row.games,
                row.points.deals,
                row.forfeits,
                sum(row.faults.values()),
                str(row.withdrawn).lower(),
                str(file.interim).lower(),
            )
    for line in file.championship.rows if file.championship is not None else ():
        rest: Iterable[Value] = [None] * 12
        basis = _basis(file.championship.basis, file.championship.parts, line) if file.championship is not None else ()
        cells = (
            *_rank("championship", line.rank),
            line.entrant,
            *_figure(line.points),
            *basis,
            None,
            *rest,
        )
        yield (*cells, line.points.deals, None, None, str(line.withdrawn).lower(), str(file.interim).lower())


def _basis(basis: Basis, parts: Sequence[Sequence[str]], row: Row | ChampionshipRow) -> tuple[Value, ...]:
    part = next((number for number, members in enumerate(parts, start=1) if row.entrant in members), None)
    strength = (None,) * 4 if row.strength is None else _figure(row.strength)
    return str(basis), part, *strength


def _rank(group: str, rank: Rank) -> tuple[Value, ...]:
    return group, rank.place, rank.best_rank, rank.worst_rank, rank.letters


def _figure(figure: Figure) -> tuple[Value, ...]:
    return figure.value, figure.error, figure.low, figure.high
