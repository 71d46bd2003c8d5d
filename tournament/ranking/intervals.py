"""Figures with errors and intervals, also at the edge: a bot that won everything may lose the next game.

A mean of values between two bounds gets one more block at each bound before its spread is measured. So nobody who
won 60 games of 60 is said to win always, and the interval covers what it says with few blocks, too; the value that
is shown stays the plain mean. A difference is never said to be exact either.
"""

from __future__ import annotations

import math

from tournament.ranking.distributions import student_probability, student_quantile
from tournament.records.figure import Figure

LEVEL = 0.95
FEWEST_DEALS = 10
"""Under so many deals no interval is given and nothing is claimed."""

Bounds = tuple[float, float]
"""The least and the most that a value can be."""

SHARE: Bounds = (0.0, 1.0)


def mean_figure(value: float, *, squares: float, deals: int, bounds: Bounds) -> Figure:
    """Returns a mean with the interval that one more block at each bound gives, cut to the bounds.

    `squares` is the sum over the deals of the square of what each moved the mean by: for n equal blocks the sum of
    squared deviations by n^2. Student's t has deals + 1 degrees of freedom.
    """
    if deals < FEWEST_DEALS:
        return _without_interval(value, deals=deals)
    below, above = bounds[0] - value, bounds[1] - value
    blocks = deals + 2
    shift = (below + above) / blocks
    spread = deals**2 * squares + below**2 + above**2 - blocks * shift**2
    error = math.sqrt(spread / (blocks * (blocks - 1)))
    reach = student_quantile(0.5 + LEVEL / 2, deals + 1) * error
    low, high = max(value + shift - reach, bounds[0]), min(value + shift + reach, bounds[1])
    return Figure(value=value, error=error, low=low, high=high, deals=deals)


def difference_figure(value: float, *, error: float, deals: int, bounds: Bounds | None) -> Figure:
    """Returns the difference of two values that lie between bounds, or that have none: value +- t * error.

    The error is at least `least_error`; the interval is cut to what such a difference can be.
    """
    if bounds is None:
        return make_figure(value, error=error, deals=deals)
    span = bounds[1] - bounds[0]
    figure = make_figure(value, error=max(error, least_error(deals, bounds=bounds)), deals=deals)
    if figure.low is None or figure.high is None:
        return figure
    return Figure(value=value, error=figure.error, low=max(figure.low, -span), high=min(figure.high, span), deals=deals)


def least_error(deals: int, *, bounds: Bounds) -> float:
    """Returns the least standard error that a difference on so many deals can have: 1 / (deals + 2) of the range.

    That all deals so far ended alike is no proof that the next will.
    """
    return (bounds[1] - bounds[0]) / (deals + 2)


def make_figure(value: float, *, error: float, deals: int) -> Figure:
    """Returns a figure whose interval is value +- t * error with deals - 1 degrees of freedom."""
    if deals < FEWEST_DEALS:
        return _without_interval(value, deals=deals)
    reach = student_quantile(0.5 + LEVEL / 2, deals - 1) * error
    return Figure(value=value, error=error, low=value - reach, high=value + reach, deals=deals)


def _without_interval(value: float, *, deals: int) -> Figure:
    return Figure(value=value, error=None, low=None, high=None, deals=deals)


def probability_above_zero(figure: Figure) -> float | None:
    """Returns the probability that what the figure estimates is above 0; None under 10 deals."""
    if figure.error is None:
        return None
    if figure.error == 0.0:
        return 0.5 if figure.value == 0.0 else float(figure.value > 0.0)
    return student_probability(figure.value / figure.error, figure.deals - 1)


def bonferroni_critical(comparisons: int, *, degrees: float, level: float = LEVEL) -> float:
    """Returns the two-sided critical value of Student's t for this many comparisons at once, 1 or more."""
    return student_quantile(1.0 - (1.0 - level) / (2.0 * comparisons), degrees)
