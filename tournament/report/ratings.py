"""The tables that compare pairs of entrants: head to head, ratings and their differences, superiority, history."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial

from tournament.languages import gettext, gettext_noop, pgettext
from tournament.records.figures import (
    Figure,
    GroupHistory,
    GroupRatings,
    HistoryPoint,
    RatingPair,
    format_figure,
    format_number,
    format_points,
    format_probability,
    format_rating,
)
from tournament.records.standings import GroupStandings, Meeting, Standings, meetings_by_pair
from tournament.report.tables import Column, ReportPart, Value, entrants, figure_cells, format_csv, numbers

BETTER, WORSE = ">", "<"
"""Signs before a score that is claimed to be above or below one half."""


def head_to_head_parts(group: GroupStandings) -> Iterator[ReportPart]:
    """Yields the scores of each entrant (row) against each other (column) of a group, and the list of pairs."""
    names = [row.entrant for row in group.rows]
    meetings = meetings_by_pair(group.meetings)
    yield _matrix(
        gettext(
            "{group}, head to head: score of the row against the column in % "
            "({better} claimed to be better, {worse} worse)",
            group=group.group,
            better=BETTER,
            worse=WORSE,
        ),
        names,
        lambda name, other: meeting_cell(meetings.get((name, other))),
    )
    yield ReportPart(
        title=gettext("{group}, pairs", group=group.group),
        columns=(
            *(
                entrants(),
                Column(pgettext("heading of a table", "against")),
                *numbers(pgettext("how often the one finished above the other", "score")),
            ),
            *(Column(pgettext("heading of a table", "claimed")), *numbers(gettext("games"))),
            *numbers(
                pgettext("number of games", "better"),
                pgettext("number of games", "tied"),
                pgettext("number of games", "worse"),
                drop=1,
            ),
        ),
        rows=[
            (
                meeting.entrant,
                meeting.opponent,
                format_points(meeting.score),
                claim_sign(meeting),
                *map(str, (meeting.games, meeting.wins, meeting.draws, meeting.losses)),
            )
            for number, name in enumerate(names)
            for other in names[number + 1 :]
            if (meeting := meetings.get((name, other))) is not None
        ],
    )


def _matrix(title: str, names: Sequence[str], cell: Callable[[str, str], str]) -> ReportPart:
    """Returns a table of entrants by entrants, its columns headed by the numbers of the rows."""
    columns = (*numbers(""), entrants(), *numbers(*(str(number) for number in range(1, len(names) + 1))))
    rows = [(str(at), name, *(cell(name, other) for other in names)) for at, name in enumerate(names, start=1)]
    return ReportPart(title=title, columns=columns, rows=rows)


def claim_sign(meeting: Meeting) -> str:
    """Returns the sign of a claimed difference, or an empty text if none is claimed."""
    return (BETTER if meeting.score.value > 0.5 else WORSE) if meeting.claimed else ""


def meeting_cell(meeting: Meeting | None) -> str:
    """Returns a score in per cent with its sign, or a dot if the two never met."""
    if meeting is None:
        return "·"
    return claim_sign(meeting) + format_number(100 * meeting.score.value, digits=0)


def head_to_head_csv(file: Standings) -> str:
    """Returns all pairs of all groups as CSV."""
    headers = ("group", "entrant", "opponent", "score", "score_error", "score_low", "score_high", "claimed")
    return format_csv(
        (*headers, "games", "better", "tied", "worse", "deals"),
        [
            (
                group.group,
                meeting.entrant,
                meeting.opponent,
                *figure_cells(meeting.score),
                str(meeting.claimed).lower(),
                *(meeting.games, meeting.wins, meeting.draws, meeting.losses, meeting.score.deals),
            )
            for group in file.groups
            for meeting in group.meetings
        ],
    )


ALONE = gettext_noop(
    "The probability that one is better holds for a pair that was chosen before looking at the results. For the first "
    "and the last of many it is too high: only bots that share no letter in the standings are claimed to differ."
)
PULLED = gettext_noop(
    "These ratings are shifted a little towards the mean, so that a bot that won every game has one too. The standings "
    "of this group rank by ratings without this shift, so the numbers differ."
)
_BETTER = gettext_noop("The probabilities follow from the ratings in the standings.")
_NOT_TOLD = gettext_noop("Unknown: one of the two has under 10 deals, or no games connect them.")


def rating_parts(groups: Sequence[GroupRatings], *, ranked_by_rating: Collection[str] = ()) -> Iterator[ReportPart]:
    """Yields for each group its ratings, each with the distance to the next, and the differences of all pairs.

    `ranked_by_rating` names the groups whose standings have other ratings, without a prior.
    """
    for group in groups:
        title = gettext("{group}, ratings", group=group.group)
        if group.anchor is not None:
            title = gettext("{group}, ratings, {anchor} fixed", group=group.group, anchor=group.anchor)
        yield ReportPart(
            title=title,
            columns=(
                entrants(),
                *numbers(gettext("rating"), gettext("lead over the next"), gettext("probably better")),
            ),
            rows=[
                (row.entrant, _format_fixed(row.rating), *_next_cells(row.next_lower, last=row is group.rows[-1]))
                for row in group.rows
            ],
        )
        yield ReportPart(
            title=gettext("{group}, differences of ratings", group=group.group),
            columns=(
                *(entrants(), Column(gettext("opponent"))),
                *numbers(gettext("difference"), gettext("probably better")),
            ),
            rows=[
                (pair.entrant, pair.opponent, format_gap(pair.difference), _format_likelihood(pair.superiority))
                for pair in group.pairs
            ],
            lines=[gettext(PULLED), gettext(_BETTER)] if group.group in ranked_by_rating else [],
        )
    yield _likelihood_part(groups)


def _likelihood_part(groups: Iterable[GroupRatings]) -> ReportPart:
    untold = any(pair.superiority is None for group in groups for pair in group.pairs)
    return ReportPart(lines=(gettext(ALONE), gettext(_NOT_TOLD)) if untold else (gettext(ALONE),))


def _format_fixed(figure: Figure | None) -> str:
    if figure is not None and figure.error == 0.0:
        return format_number(figure.value, digits=0)
    return format_rating(figure)


def _next_cells(pair: RatingPair | None, *, last: bool) -> tuple[str, str]:
    if pair is None or last:
        return "", ""
    return format_gap(pair.difference), _format_likelihood(pair.superiority)


def _format_likelihood(share: float | None) -> str:
    return pgettext("probability", "unknown") if share is None else format_probability(share)


def format_gap(figure: Figure) -> str:
    """Returns a difference of ratings with its interval; if that is open at one end, only the other end."""
    if figure.error is not None and figure.high is None and figure.low is not None:
        return gettext("more than {value}", value=format_number(figure.low, digits=0, signed=True))
    if figure.error is not None and figure.low is None and figure.high is not None:
        return gettext("less than {value}", value=format_number(figure.high, digits=0, signed=True))
    return format_figure(figure, digits=0, signed=True)


def superiority_parts(groups: Sequence[GroupRatings]) -> Iterator[ReportPart]:
    """Yields for each group how likely it is, in per cent, that the row is better than the column."""
    for group in groups:
        names = [row.entrant for row in group.rows]
        found = {(pair.entrant, pair.opponent): pair.superiority for pair in group.pairs}
        title = gettext("{group}, probability in % that the row is better than the column", group=group.group)
        yield _matrix(title, names, partial(_superiority_cell, found=found))
    yield _likelihood_part(groups)


def _superiority_cell(name: str, other: str, *, found: dict[tuple[str, str], float | None]) -> str:
    if name == other:
        return "·"
    share = found[name, other] if (name, other) in found else found[other, name]
    if share is None:
        return "?"
    share = share if (name, other) in found else 1.0 - share
    if share > 0.9995:
        return f">{format_number(99.9, digits=1)}"
    return f"<{format_number(0.1, digits=1)}" if share < 0.0005 else format_number(100 * share, digits=1)


def rating_csv(groups: Iterable[GroupRatings]) -> str:
    """Returns the ratings as CSV, a row for each entrant."""
    headers = ("group", "anchor", "entrant", "rating", "error", "low", "high", "deals")
    return format_csv(
        headers,
        [
            (group.group, group.anchor, row.entrant, *figure_cells(row.rating), row.rating.deals)
            for group in groups
            for row in group.rows
        ],
    )


def superiority_csv(groups: Iterable[GroupRatings]) -> str:
    """Returns all pairs as CSV: the difference of their ratings, and how likely it is that the first is better."""
    headers = ("group", "entrant", "opponent", "difference", "error", "low", "high", "deals", "superiority")
    return format_csv(
        headers,
        [
            (
                group.group,
                pair.entrant,
                pair.opponent,
                *figure_cells(pair.difference),
                pair.difference.deals,
                pair.superiority,
            )
            for group in groups
            for pair in group.pairs
        ],
    )


NOTE = gettext_noop("A course proves nothing: whoever looks at it often enough will see some difference by chance.")


def history_parts(groups: Iterable[GroupHistory], *, ranked_by_rating: Collection[str] = ()) -> Iterator[ReportPart]:
    """Yields the ratings of each group over the course of the run: a column for each entrant, best at the end first.

    `ranked_by_rating` names the groups whose standings have other ratings, without a prior.
    """
    for group in groups:
        names = names_at_end(group)
        yield ReportPart(
            title=gettext("{group}, ratings over the course of play", group=group.group),
            columns=numbers(gettext("blocks"), *names),
            rows=[(str(point.blocks), *_cells(point, names)) for point in group.points],
            lines=[gettext(PULLED)] if group.group in ranked_by_rating else [],
        )
    yield ReportPart(lines=(gettext(NOTE),))


def names_at_end(group: GroupHistory) -> list[str]:
    """Returns the entrants of a group by their rating at the end, best first.

    Not by points: entrants who met different opponents cannot be ordered by these.
    """
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
    """Returns the ratings over the course of the run as CSV: a row for each entrant at each point of the course."""
    headers = ("group", "blocks", "entrant", "points", "points_low", "points_high")
    rows: list[tuple[Value, ...]] = []
    for group in groups:
        for point in group.points:
            for row in point.rows:
                rating = (None,) * 3 if row.rating is None else (row.rating.value, row.rating.low, row.rating.high)
                points = (row.points.value, row.points.low, row.points.high)
                rows.append((group.group, point.blocks, row.entrant, *points, *rating))
    return format_csv((*headers, "rating", "rating_low", "rating_high"), rows)
