"""The course of a run as tables and CSV."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from tournament.records.ratings import GroupHistory, HistoryPoint
from tournament.report.figures import format_number, format_rating
from tournament.report.ratings import PULLED
from tournament.report.tables import Column, ReportPart, Value, format_csv

NOTE = "A course is to look at, not to test with: who looks until something seems clear will see something."


def history_parts(groups: Iterable[GroupHistory], *, ranked_by_rating: Collection[str] = ()) -> Iterator[ReportPart]:
    """Yields the ratings of each group over its course, a column an entrant, best at the end first.

    `ranked_by_rating` names the groups whose standings have other ratings, without a prior.
    """
    for group in groups:
        names = names_at_end(group)
        yield ReportPart(
            title=f"{group.group}, ratings over the course of play",
            columns=(Column("blocks", right=True), *(Column(name, right=True) for name in names)),
            rows=[(str(point.blocks), *_cells(point, names)) for point in group.points],
            lines=[PULLED] if group.group in ranked_by_rating else [],
        )
    yield ReportPart(lines=(NOTE,))


def names_at_end(group: GroupHistory) -> list[str]:
    """Returns who is in a course, by rating at its end, the best first: points of unequal fields order nobody."""
    rows = sorted(
        group.points[-1].rows,
        key=lambda row: (-row.points.value if row.rating is None else -row.rating.value, row.entrant),
    )
    return [row.entrant for row in rows]


def _cells(point: HistoryPoint, names: Sequence[str]) -> list[str]:
    by_name = {row.entrant: row for row in point.rows}
    cells = []
    for name in names:
        row = by_name.get(name)
        if row is None:
            cells.append("")
        elif row.rating is None or row.rating.error is None or None in (row.rating.low, row.rating.high):
            cells.append(format_rating(row.rating))
        else:
            cells.append(format_number(row.rating.value, digits=0))
    return cells


def history_csv(groups: Iterable[GroupHistory]) -> str:
    """Returns the courses as CSV: a row an entrant and look."""
    headers = ("group", "blocks", "entrant", "points", "points_low", "points_high")
    rows: list[tuple[Value, ...]] = []
    for group in groups:
        for point in group.points:
            for row in point.rows:
                rating = (None,) * 3 if row.rating is None else (row.rating.value, row.rating.low, row.rating.high)
                points = (row.points.value, row.points.low, row.points.high)
                rows.append((group.group, point.blocks, row.entrant, *points, *rating))
    return format_csv((*headers, "rating", "rating_low", "rating_high"), rows)
