"""One number an entrant with an error clustered by deal: what placement, rating and championship have in common.

Each estimate keeps what every deal contributed to its error, so that differences, weighted sums and
comparisons between two runs get their covariances right without a formula of their own.
Source: `docs/statistics.md`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from tournament.ranking.arrays import Floats, GroupGames, Integers
from tournament.ranking.intervals import (
    Bounds,
    difference_figure,
    make_figure,
    mean_figure,
    probability_above_zero,
)
from tournament.records.comparison import Difference
from tournament.records.figure import Figure


@dataclass(frozen=True, eq=False, kw_only=True)
class Estimate:
    """Numbers of entrants that were measured together."""

    entrants: tuple[str, ...]
    values: Floats
    influence: Floats
    """What each deal moved each number by, shape (deals, entrants), scaled so that the covariance is R'R."""

    deals: tuple[str, ...]
    """Names of the rows of `influence`."""

    deal_count: int
    """C of the formulas: how many deals the covariance rests on."""

    met: Integers
    """How many deals each entrant sat in."""

    bounds: Bounds | None = None
    """The least and the most that a number can be; None where there is no such limit."""

    unit: float = 0.0
    """Of numbers without bounds: what a whole placement point is worth of them at least."""

    @cached_property
    def covariance(self) -> Floats:
        """V = R'R C / (C - 1), shape (entrants, entrants)."""
        covariance: Floats = self.influence.T @ self.influence
        return covariance

    @cached_property
    def difference_errors(self) -> Floats:
        """The standard error of every difference, shape (entrants, entrants): V_aa + V_bb - 2 V_ab under the root.

        Of numbers with bounds, or with a unit, at least `least_error` of the deals of whoever sat in fewer.
        """
        errors = difference_errors(self.covariance)
        span = self.unit if self.bounds is None else self.bounds[1] - self.bounds[0]
        if span == 0.0:
            return errors
        deals = np.minimum(self.met[:, None], self.met[None, :])
        least: Floats = span / (deals + 2.0)
        np.fill_diagonal(least, 0.0)
        return np.maximum(errors, least)

    def figure(self, entrant: str) -> Figure:
        """Returns the number of one entrant with its error and interval."""
        number = self.entrants.index(entrant)
        value, variance = float(self.values[number]), float(self.covariance[number, number])
        deals = int(self.met[number])
        if self.bounds is None:
            return make_figure(value, error=math.sqrt(variance), deals=deals)
        squares = variance / scale_for(self.deal_count) ** 2
        return mean_figure(value, squares=squares, deals=deals, bounds=self.bounds)

    def difference(self, entrant: str, opponent: str) -> Difference:
        """Returns how much one entrant is ahead of another, with the error of the difference."""
        first, second = self.entrants.index(entrant), self.entrants.index(opponent)
        value = float(self.values[first] - self.values[second])
        error = float(self.difference_errors[first, second])
        deals = int(min(self.met[first], self.met[second]))
        figure = difference_figure(value, error=error, deals=deals, bounds=self.bounds)
        return Difference(
            entrant=entrant, opponent=opponent, figure=figure, probability_better=probability_above_zero(figure)
        )

    def scaled(self, factor: float, *, offset: float = 0.0) -> Estimate:
        """Returns the estimate in another unit: offset + factor * value."""
        return replace(self, values=offset + factor * self.values, influence=factor * self.influence, bounds=None)

    def only(self, entrants: tuple[str, ...]) -> Estimate:
        """Returns the estimate of some of its entrants, in the order given."""
        numbers = [self.entrants.index(entrant) for entrant in entrants]
        return replace(
            self,
            entrants=entrants,
            values=self.values[numbers],
            influence=self.influence[:, numbers],
            met=self.met[numbers],
        )


def difference_errors(covariance: Floats) -> Floats:
    """Returns the standard errors of all differences from a covariance matrix, or from a stack of them; same shape."""
    variances = np.diagonal(covariance, axis1=-2, axis2=-1)
    both = variances[..., :, None] + variances[..., None, :]
    errors: Floats = np.sqrt(np.maximum(both - 2.0 * covariance, 0.0))
    return errors


def scale_for(deals: int) -> float:
    """Returns sqrt(C / (C - 1)), the small-sample factor; 1 for a single deal, which gets no interval anyway."""
    return math.sqrt(deals / (deals - 1)) if deals > 1 else 1.0


def mean_estimate(games: GroupGames, values: Integers, *, denominator: int, bounds: Bounds | None = None) -> Estimate:
    """Returns by entrant the mean of an integer value by seat, over its appearances, in units of 1 / denominator.

    `bounds` are those of the value in these units, where it has some.
    Integer sums and one division: entrants that are equal come out equal to the last bit.
    """
    sums = games.sums(values)
    totals = games.appearances.sum(axis=0)
    means = sums.sum(axis=0) / (totals * denominator)
    residuals = (sums / denominator - games.appearances * means) / totals
    return Estimate(
        entrants=games.entrants,
        values=means,
        influence=residuals * scale_for(len(games.deals)),
        deals=games.deals,
        deal_count=len(games.deals),
        met=np.count_nonzero(games.appearances, axis=0),
        bounds=bounds,
    )
