"""Ratings against an anchor, differences of all pairs, and the map of who is superior, as rating tools print them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from tournament.records.figure import Figure
from tournament.records.ratings import GroupRatings, RatingPair
from tournament.report.figures import format_figure, format_number, format_probability, format_rating
from tournament.report.tables import Column, ReportPart, Value, format_csv

ALONE = (
    "How likely it is that the one is better, of a pair taken alone. Of the first and the last of many it says too "
    "much: told apart is only who shares no letter in the standings."
)
PULLED = (
    "These ratings are drawn a little towards the middle, so that whoever won all has one too. The standings, which "
    "rank by rating here, go by ratings that are not: the numbers differ."
)
_BETTER = "The column better goes by what ranks in the standings."
_NOT_TOLD = "Of two it is not told where one has under 10 deals, or where nothing compares them."


def rating_parts(groups: Sequence[GroupRatings], *, ranked_by_rating: Collection[str] = ()) -> Iterator[ReportPart]:
    """Yields for each group its ratings with the step to the next, and the differences of all pairs.

    `ranked_by_rating` names the groups whose standings have other ratings, without a prior.
    """
    for group in groups:
        fixed = "" if group.anchor is None else f", {group.anchor} held fast"
        yield ReportPart(
            title=f"{group.group}, ratings{fixed}",
            columns=(
                Column("entrant"),
                Column("rating", right=True),
                Column("ahead of the next by", right=True),
                Column("better than the next", right=True),
            ),
            rows=[
                (row.entrant, _format_fixed(row.rating), *_next_cells(row.next_lower, last=row is group.rows[-1]))
                for row in group.rows
            ],
        )
        yield ReportPart(
            title=f"{group.group}, differences of ratings",
            columns=(
                Column("entrant"),
                Column("over"),
                Column("difference", right=True),
                Column("better", right=True),
            ),
            rows=[
                (pair.entrant, pair.opponent, format_gap(pair.difference), _format_likelihood(pair.superiority))
                for pair in group.pairs
            ],
            lines=[PULLED, _BETTER] if group.group in ranked_by_rating else [],
        )
    yield _likelihood_part(groups)


def _likelihood_part(groups: Iterable[GroupRatings]) -> ReportPart:
    untold = any(pair.superiority is None for group in groups for pair in group.pairs)
    return ReportPart(lines=(ALONE, _NOT_TOLD) if untold else (ALONE,))


def _format_fixed(figure: Figure | None) -> str:
    if figure is not None and figure.error == 0.0:
        return format_number(figure.value, digits=0)
    return format_rating(figure)


def _next_cells(pair: RatingPair | None, *, last: bool) -> tuple[str, str]:
    if pair is None or last:
        return "", ""
    return format_gap(pair.difference), _format_likelihood(pair.superiority)


def _format_likelihood(share: float | None) -> str:
    return "not told" if share is None else format_probability(share)


def format_gap(figure: Figure) -> str:
    """Returns a difference of ratings with its interval; one without an end as more or less than the other end."""
    if figure.error is not None and figure.high is None and figure.low is not None:
        return f"more than {format_number(figure.low, digits=0, signed=True)}"
    if figure.error is not None and figure.low is None and figure.high is not None:
        return f"less than {format_number(figure.high, digits=0, signed=True)}"
    return format_figure(figure, digits=0, signed=True)


def superiority_parts(groups: Sequence[GroupRatings]) -> Iterator[ReportPart]:
    """Yields for each group the map of all pairs: how likely it is that the row is better than the column, in %."""
    for group in groups:
        names = [row.entrant for row in group.rows]
        found = {(pair.entrant, pair.opponent): pair.superiority for pair in group.pairs}
        yield ReportPart(
            title=f"{group.group}, likelihood of superiority: of the row over the column in %",
            columns=(
                Column("", right=True),
                Column("entrant"),
                *(Column(str(number), right=True) for number in range(1, len(names) + 1)),
            ),
            rows=[
                (str(number), name, *(_superiority_cell(name, other, found) for other in names))
                for number, name in enumerate(names, start=1)
            ],
        )
    yield _likelihood_part(groups)


def _superiority_cell(name: str, other: str, found: dict[tuple[str, str], float | None]) -> str:
    if name == other:
        return "·"
    share = found[name, other] if (name, other) in found else found[other, name]
    if share is None:
        return "?"
    share = share if (name, other) in found else 1.0 - share
    return ">99.9" if share > 0.9995 else "<0.1" if share < 0.0005 else f"{100 * share:.1f}"


def rating_csv(groups: Iterable[GroupRatings]) -> str:
    """Returns the ratings as CSV: a row an entrant."""
    headers = ("group", "anchor", "entrant", "rating", "error", "low", "high", "deals")
    return format_csv(
        headers,
        [(group.group, group.anchor, row.entrant, *_csv_figure(row.rating)) for group in groups for row in group.rows],
    )


def superiority_csv(groups: Iterable[GroupRatings]) -> str:
    """Returns all pairs as CSV: the difference of ratings and how likely it is that the first is better."""
    headers = ("group", "entrant", "opponent", "difference", "error", "low", "high", "deals", "superiority")
    return format_csv(
        headers,
        [
            (group.group, pair.entrant, pair.opponent, *_csv_figure(pair.difference), pair.superiority)
            for group in groups
            for pair in group.pairs
        ],
    )


def _csv_figure(figure: Figure) -> tuple[Value, ...]:
    return figure.value, figure.error, figure.low, figure.high, figure.deals
