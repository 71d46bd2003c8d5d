"""What a seat is worth, as tables."""

from __future__ import annotations

from collections.abc import Iterator

from tournament.records.standings import GroupStandings
from tournament.report.figures import TOO_FEW, format_figure, format_number, format_points, format_share
from tournament.report.tables import Column, ReportPart


def seat_parts(group: GroupStandings) -> Iterator[ReportPart]:
    """Yields what each seat brings, and the points of each entrant by seat."""
    yield ReportPart(
        title=f"{group.group}, seats: what a seat brings whoever sits there (* a claimed difference from the mean)",
        columns=(Column("seat"), Column("points", right=True), Column("effect", right=True), Column("claimed")),
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
        columns=(Column("entrant"), *(Column(f"seat {seat}", right=True) for seat in seats)),
        rows=[(row.entrant, *(_cell(points.get((row.entrant, seat))) for seat in seats)) for row in group.rows],
    )


def _cell(points: float | None) -> str:
    return "" if points is None else format_number(points, digits=3)


def _variance_line(removed: float | None) -> str:
    if removed is None:
        return f"How much variance the rotations removed: {TOO_FEW}."
    if removed < 0:
        return f"The rotations of a deal rather repeat each other: they added {format_share(-removed)} variance."
    saved = f"Playing every hand from every seat removed {format_share(removed)} of the variance of differences"
    if removed > 0.99:
        return f"{saved}."
    return f"{saved} (as good as {format_share(removed / (1 - removed))} more games)."
