"""What rating tools print: ratings against an anchor, differences of all pairs with errors, who is superior."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations, groupby
from operator import attrgetter
from typing import NamedTuple

import msgspec

from tournament.errors import UsageError, did_you_mean
from tournament.ranking.arrays import group_games
from tournament.ranking.basis import GroupScores, Scale, group_scale
from tournament.ranking.rating_intervals import RatingIntervals
from tournament.ranking.results import whole_blocks
from tournament.records.figure import Figure
from tournament.records.ratings import GroupRatings, RatingPair, RatingRow
from tournament.records.results import GameResult


class Anchor(NamedTuple):
    """An entrant whose rating is held fast."""

    entrant: str
    rating: float


def parse_anchor(text: str) -> Anchor:
    """Returns what `NAME=1500` says. Raises `UsageError` for anything else."""
    name, sign, number = text.rpartition("=")
    try:
        rating = float(number)
    except ValueError:
        rating = float("nan")
    if not name or not sign or not abs(rating) < 1e6:
        raise UsageError(f'--anchor is an entrant and its rating, such as keeper=1500; found "{text}".')
    return Anchor(name, rating)


def rating_tables(results: Iterable[GameResult], *, anchor: Anchor | None = None) -> tuple[GroupRatings, ...]:
    """Returns ratings, and the differences of all pairs, of each group, the best rating first.

    With an anchor ratings stand against it, in the groups that it plays; their errors are those of the difference
    from it. Raises `UsageError` for an anchor that plays in none. Cost: a few fits of a group a pair.
    """
    by_group = [list(members) for _, members in groupby(whole_blocks(results).results, key=attrgetter("group"))]
    names = {name for members in by_group for result in members for name in result.seats}
    if anchor is not None and anchor.entrant not in names:
        raise UsageError(
            f'--anchor: there is no entrant "{anchor.entrant}".{did_you_mean(anchor.entrant, names)} '
            f"There are: {', '.join(sorted(names)) or 'none'}."
        )
    tables = (_table(members, anchor) for members in by_group)
    return tuple(table for table in tables if table is not None)


def _table(results: Sequence[GameResult], anchor: Anchor | None) -> GroupRatings | None:
    games = group_games(results, whole=True)
    scores = GroupScores(games=games)
    strengths = scores.with_prior
    if strengths is None:
        return None
    if anchor is not None and anchor.entrant not in games.entrants:
        anchor = None
    intervals, scale = RatingIntervals(strengths), group_scale(scores)
    values = dict(zip(games.entrants, strengths.estimate.values.tolist(), strict=True))
    order = sorted(games.entrants, key=lambda name: (-values[name], name))
    pairs = {(first, second): _pair(first, second, intervals, scale) for first, second in combinations(order, 2)}
    return GroupRatings(
        group=games.group,
        anchor=None if anchor is None else anchor.entrant,
        rows=tuple(
            RatingRow(entrant=name, rating=_rating(name, intervals, anchor), next_lower=pairs.get((name, below)))
            for name, below in zip(order, [*order[1:], ""], strict=True)
        ),
        pairs=tuple(pairs.values()),
    )


def _rating(name: str, intervals: RatingIntervals, anchor: Anchor | None) -> Figure:
    if anchor is None:
        return intervals.rating(name)
    if name == anchor.entrant:
        own = intervals.rating(name)
        return Figure(value=anchor.rating, error=0.0, low=anchor.rating, high=anchor.rating, deals=own.deals)
    difference = intervals.difference(name, anchor.entrant)
    low, high = (None if end is None else anchor.rating + end for end in (difference.low, difference.high))
    return msgspec.structs.replace(difference, value=anchor.rating + difference.value, low=low, high=high)


def _pair(first: str, second: str, intervals: RatingIntervals, scale: Scale) -> RatingPair:
    return RatingPair(
        entrant=first,
        opponent=second,
        difference=intervals.difference(first, second),
        superiority=(
            scale.estimate.difference(first, second).probability_better if scale.compares(first, second) else None
        ),
    )
