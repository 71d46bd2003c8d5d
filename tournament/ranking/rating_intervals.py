"""Intervals of ratings, also of bots that lost nothing or won nothing: then they have only one end.

A rating says how often a bot should have been the one that was chosen (the first among all, then among the rest,
and so on). In that unit an interval is made as that of a mean: one more deal in which it is always chosen, and one
in which it never is. Where the interval reaches what only an endless rating would explain, it has no end there;
otherwise its ends are the ratings that explain them, the others held fast. In the middle of a field this is the
sandwich's interval; at its edge it leans outwards, as it must.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np

from tournament.ranking.arrays import Floats
from tournament.ranking.estimates import scale_for
from tournament.ranking.intervals import FEWEST_DEALS, mean_figure
from tournament.ranking.plackett_luce import (
    RATING_OF_ZERO,
    RATING_PER_STRENGTH,
    Strengths,
    expected_choices,
    information_of_games,
)
from tournament.records.figure import Figure

_ENDLESS = 40.0
"""A strength that no game contradicts: its odds are beyond what floats tell from endless."""

_PRECISE = 1e-3  # of a strength: a sixth of a rating point
_STEPS = 100


class RatingIntervals:
    """Ratings, and their differences, as figures; all from one fit."""

    def __init__(self, strengths: Strengths) -> None:
        self._strengths = strengths
        self._estimate = strengths.estimate
        self._deviations: Floats = self._estimate.influence / scale_for(self._estimate.deal_count)

    @cached_property
    def _information(self) -> Floats:
        return information_of_games(self._strengths.orders, self._estimate.values)

    def rating(self, entrant: str) -> Figure:
        """Returns a rating, 1500 in the middle of the field; without an end where the games give it none."""
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
        by_deal = self._deviations @ contrast
        # Where the mean of the deals' deviations lies that a fit without a prior would make 0.
        mean = float(by_deal.sum()) / deals
        squares = float(((by_deal - by_deal.mean()) ** 2).sum()) / deals**2
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
    """Returns where a growing function, 0 at 0, has a value that it reaches; `start` is a guess.

    The secant between the two sides, one of them halved when the other does not move (the Illinois method).
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
