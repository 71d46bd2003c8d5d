"""The tables of standings, of a group and of the championship."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tournament.records.basis import Basis
from tournament.records.standings import ChampionshipRow, ChampionshipStandings, GroupStandings, Rank, Row
from tournament.report.figures import (
    format_basis,
    format_faults,
    format_number,
    format_points,
    format_range,
    format_rank,
    format_rating,
    format_share,
)
from tournament.report.tables import Column, ReportPart
from tournament.text import format_count


def has_letters(ranks: Iterable[Rank]) -> bool:
    """Returns whether a ranking says by letters who is tied."""
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
        Column("points", right=True),
        Column("rating", right=True, drop=1),
        Column("wins", right=True),
        Column("margin", right=True, drop=2),
        Column("score", right=True, drop=3),
        Column("games", right=True, drop=4),
        Column("met", right=True, drop=5),
    ]
    rows: list[tuple[str, ...]] = [
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
        )
        for row in group.rows
    ]
    lines = []
    if faults:
        columns.append(Column("faults", right=True))
        rows = [(*cells, str(sum(row.faults.values()))) for cells, row in zip(rows, group.rows, strict=True)]
        lines = [f"{row.entrant}: {format_faults(row.faults)}" for row in group.rows if row.faults]
    how_many = f"{format_count(group.games, 'game')} on {format_count(group.deals, 'deal')}"
    title = f"{group.group}: {how_many}, {format_count(faults, 'fault') if faults else 'no faults'}"
    title += format_basis(group.basis)
    return ReportPart(title=title, columns=tuple(columns), rows=rows, lines=lines)


def _part_columns(parts: Sequence[Sequence[str]]) -> tuple[Column, ...]:
    return (Column("part"),) if len(parts) > 1 else ()


def _part_cells(parts: Sequence[Sequence[str]], entrant: str) -> tuple[str, ...]:
    """Returns the number of the part in which an entrant is ranked, where there are several; empty for no part."""
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
            Column("points", right=True),
            *([] if championship.basis is Basis.POINTS else [Column("rating", right=True)]),
            *(Column(group, right=True, drop=1) for group in groups),
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
                f"{entrant} is not ranked: nothing of it counts in {', '.join(missing)}."
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
    """Returns the standings of a group with the deals on which somebody forfeited, and without them."""
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
            Column("entrant"),
            Column("place", right=True),
            Column("points", right=True),
            Column("place without", right=True, drop=1),
            Column("points without", right=True),
            Column("forfeits", right=True),
        ),
        rows=rows,
        lines=("Without: only the deals on which nobody forfeited.",),
    )


def _format_place(row: Row, place: int) -> str:
    return "withdrawn" if row.withdrawn else str(place)
