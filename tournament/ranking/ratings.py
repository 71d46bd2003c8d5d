"""Ratings: their intervals, their table against an anchor, and their course over a run.

A rating says how often a bot should have been the one that was chosen (the first among all, then among the rest,
and so on). In that unit an interval is made as that of a mean: one more deal in which the bot is always chosen, and
one in which it never is. Where the interval reaches what only an endless rating would explain, it has no end there;
otherwise its ends are the ratings that explain them, the others held fast. In the middle of a field this is the
interval of the sandwich estimator; at the edge it leans outwards, as it must.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

import msgspec
import numpy as np

from tournament.errors import UsageError, did_you_mean
from tournament.ranking.basis import GroupScores, Scale, group_scale
from tournament.ranking.compact.by_deal import Floats
from tournament.ranking.compact.collecting import CountedGames, counted_games
from tournament.ranking.compact.columns import CountedGroup
from tournament.ranking.points import FEWEST_DEALS, mean_figure, placement_points, scale_for
from tournament.ranking.strengths import (
    RATING_OF_ZERO,
    RATING_PER_STRENGTH,
    Strengths,
    expected_choices,
    fit_strengths,
    information_of_games,
)
from tournament.records.figures import (
    Figure,
    GroupHistory,
    GroupRatings,
    HistoryPoint,
    HistoryRow,
    RatingPair,
    RatingRow,
)
from tournament.records.results import GameResult
from tournament.text import composed

_ENDLESS = 40.0
"""A strength that no game contradicts: its odds are beyond what floats tell from endless."""

_PRECISE = 1e-3  # of a strength: a sixth of a rating point
_STEPS = 100


class RatingIntervals:
    """Ratings and their differences as figures, all from one fit."""

    def __init__(self, strengths: Strengths) -> None:
        self._strengths = strengths
        self._estimate = strengths.estimate
        scale = scale_for(self._estimate.deal_count)
        size = len(self._estimate.entrants)
        self._deviations = self._estimate.influence.changed(lambda rows: rows / scale, matrix=np.eye(size) / scale)

    @cached_property
    def _information(self) -> Floats:
        return information_of_games(self._strengths.orders, self._estimate.values)

    def rating(self, entrant: str) -> Figure:
        """Returns a rating, 1500 in the middle of the field; an end that the games do not give is missing."""
        number = self._estimate.entrants.index(entrant)
        size = len(self._estimate.entrants)
        unit: Floats = np.eye(size)[number]
        value = RATING_OF_ZERO + RATING_PER_STRENGTH * float(self._estimate.values[number])
        return self._figure(value, contrast=unit, direction=unit, deals=int(self._estimate.met[number]))

    def difference(self, entrant: str, opponent: str) -> Figure:
        """Returns by how much one entrant is rated above another."""
        first, second = self._estimate.entrants.index(entrant), self._estimate.entrants.index(opponent)
        contrast: Floats = np.zeros(len(self._estimate.entrants))
        contrast[first], contrast[second] = 1.0, -1.0
        value = RATING_PER_STRENGTH * float(self._estimate.values[first] - self._estimate.values[second])
        deals = int(min(self._estimate.met[first], self._estimate.met[second]))
        return self._figure(value, contrast=contrast, direction=contrast / 2.0, deals=deals)

    def _figure(self, value: float, *, contrast: Floats, direction: Floats, deals: int) -> Figure:
        move = self._move(contrast, direction)
        bounds = move(-_ENDLESS) / deals, move(_ENDLESS) / deals
        alone = len(self._estimate.entrants) == 1 or not bounds[0] < bounds[1]
        if alone or deals < FEWEST_DEALS:
            return Figure(value=value, error=None, low=None, high=None, deals=deals)
        total, squares = self._deviations.spread(contrast)
        # Where the mean of the deals' deviations lies that a fit without a prior would make 0.
        mean, squares = total / deals, squares / deals**2
        found = mean_figure(min(max(mean, bounds[0]), bounds[1]), squares=squares, deals=deals, bounds=bounds)
        error, own_ends = found.error or 0.0, (found.low or 0.0, found.high or 0.0)
        slope = float(self._strengths.model_covariance @ contrast @ self._information @ direction)
        # Strengths are those against the mean of the field, which moves along.
        unit = RATING_PER_STRENGTH * float(contrast @ (direction - direction.mean()))
        low, high = (
            None
            if abs(end - bound) <= 1e-9 * (bounds[1] - bounds[0])
            else value + unit * _solve(move, deals * end, start=deals * end / slope)
            for end, bound in zip(own_ends, bounds, strict=True)
        )
        return Figure(value=value, error=RATING_PER_STRENGTH * deals * error, low=low, high=high, deals=deals)

    def _move(self, contrast: Floats, direction: Floats) -> Callable[[float], float]:
        """Returns how far the contrast would be moved if strengths were moved so far in a direction and it was seen."""
        strengths = self._estimate.values
        moved = np.flatnonzero(direction).tolist()
        orders = [part for part in (whole.seating(moved) for whole in self._strengths.orders) if len(part.seats)]
        row = self._strengths.model_covariance @ contrast
        before = expected_choices(orders, strengths)

        def move(distance: float) -> float:
            return float(row @ (expected_choices(orders, strengths + distance * direction) - before))

        return move


def _solve(move: Callable[[float], float], wanted: float, *, start: float) -> float:
    """Returns where a growing function that is 0 at 0 has a value that it reaches; `start` is a guess.

    It takes the secant between the two sides, and halves one side when the other does not move (the Illinois method).
    """
    near, near_gap = 0.0, -wanted
    far = _ENDLESS if wanted > 0.0 else -_ENDLESS
    far_gap = move(far) - wanted
    reached, last_side = start, 0
    for _ in range(_STEPS):
        if not min(near, far) < reached < max(near, far):
            reached = (near + far) / 2.0
        gap = move(reached) - wanted
        if (gap < 0.0) == (near_gap < 0.0):
            step, near, near_gap = abs(reached - near), reached, gap
            far_gap = far_gap / 2.0 if last_side == 1 else far_gap
            last_side = 1
        else:
            step, far, far_gap = abs(reached - far), reached, gap
            near_gap = near_gap / 2.0 if last_side == -1 else near_gap
            last_side = -1
        if gap == 0.0 or step < _PRECISE:
            break
        reached = near - near_gap * (far - near) / (far_gap - near_gap)
    return reached


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
    return Anchor(composed(name), rating)


def rating_tables(
    results: Iterable[GameResult] | CountedGames, *, anchor: Anchor | None = None
) -> tuple[GroupRatings, ...]:
    """Returns the ratings of each group, the best first, and the differences of all pairs.

    With an anchor, ratings stand against it in the groups that it plays, and their errors are those of the difference
    from it. Raises `UsageError` for an anchor that plays in no group. Cost: a few fits of a group for each pair.
    """
    groups = counted_games(results).groups
    names = {name for counted in groups for name in counted.games.entrants}
    if anchor is not None and anchor.entrant not in names:
        raise UsageError(
            f'--anchor: there is no entrant "{anchor.entrant}".{did_you_mean(anchor.entrant, names)} '
            f"There are: {', '.join(sorted(names)) or 'none'}."
        )
    tables = (_table(counted, anchor) for counted in groups)
    return tuple(table for table in tables if table is not None)


def _table(counted: CountedGroup, anchor: Anchor | None) -> GroupRatings | None:
    games = counted.games
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


LOOKS = 20
"""How often the course of a run is looked at, evenly by blocks."""


def history(results: Iterable[GameResult] | CountedGames, *, looks: int = LOOKS) -> tuple[GroupHistory, ...]:
    """Returns by group its points and ratings after 1/20, 2/20 ... of its blocks, in the order of play.

    It is to look at, not to test with: whoever looks until something seems clear will see something. Runs that are
    pooled follow on each other. Cost: a ranking for each look.
    """
    return tuple(
        GroupHistory(group=counted.games.group, points=tuple(_points(counted, looks)))
        for counted in counted_games(results).groups
    )


def _points(counted: CountedGroup, looks: int) -> Iterator[HistoryPoint]:
    place = counted.order_of_play()
    blocks = len(place)
    for count in sorted({max(blocks * look // looks, 1) for look in range(1, looks + 1)}):
        games = counted.games.chosen(np.repeat(place < count, counted.games.players))
        points, strengths = placement_points(games), fit_strengths(games)
        ratings = RatingIntervals(strengths) if strengths is not None else None
        yield HistoryPoint(
            blocks=count,
            rows=tuple(
                HistoryRow(
                    entrant=name, points=points.figure(name), rating=None if ratings is None else ratings.rating(name)
                )
                for name in games.entrants
            ),
        )
