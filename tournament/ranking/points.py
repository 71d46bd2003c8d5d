"""One number an entrant with an error clustered by deal: means of a value, placement points, and what a seat is worth.

Each estimate keeps what every deal contributed to its error, so that differences, weighted sums and comparisons of
two runs get their covariances right without a formula of their own.

A mean of values between two bounds gets one more block at each bound before its spread is measured. So a bot that
won 60 games of 60 is not said to win always, and the interval covers what it says with few blocks, too. The value
that is shown stays the plain mean. A difference is never said to be exact either.

Only this module and `compact/fields.py` know scipy. Source: `docs/statistics.md`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from scipy import special  # type: ignore[import-untyped, unused-ignore]

from tournament.ranking.compact.by_deal import ByDeal, Floats
from tournament.ranking.group_games import GroupGames, Integers, distinct
from tournament.records.comparison import Difference
from tournament.records.figures import Figure
from tournament.records.standings import EntrantSeat, SeatFigure

_POINTS = 8192


def normal_probability(value: float) -> float:
    """Returns P(Z <= value) of a standard normal Z."""
    return float(special.ndtr(value))


def normal_quantile(probability: float) -> float:
    """Returns the value that a standard normal stays below with this probability, between 0 and 1."""
    return float(special.ndtri(probability))


@lru_cache(maxsize=8)
def normal_points(dimensions: int) -> Floats:
    """Returns fixed points that lie like draws of independent standard normals, shape (8192, dimensions).

    They are Richtmyer's points, multiples of the roots of primes: even in many dimensions, and without a seed.
    """
    primes: list[int] = []
    candidate = 2
    while len(primes) < dimensions:
        if all(candidate % prime for prime in primes):
            primes.append(candidate)
        candidate += 1
    uniform = np.arange(1, _POINTS + 1)[:, None] * np.sqrt(np.array(primes, dtype=np.float64)) % 1.0
    points: Any = special.ndtri(uniform)
    return np.asarray(points, dtype=np.float64)


def student_probability(value: float, degrees: float) -> float:
    """Returns P(T <= value) of Student's t."""
    return float(special.stdtr(degrees, value))


def student_quantile(probability: float, degrees: float) -> float:
    """Returns the value that Student's t stays below with this probability, between 0 and 1; degrees >= 1."""
    return float(special.stdtrit(degrees, probability))


def chi_square_probabilities(values: Floats, degrees: float) -> Floats:
    """Returns P(X <= value) for each element, X chi-square with these degrees of freedom."""
    probabilities: Any = special.chdtr(degrees, values)
    return np.asarray(probabilities, dtype=np.float64)


LEVEL = 0.95
FEWEST_DEALS = 10
"""Under so many deals no interval is given and nothing is claimed."""

Bounds = tuple[float, float]
"""The least and the most that a value can be."""

SHARE: Bounds = (0.0, 1.0)


def mean_figure(value: float, *, squares: float, deals: int, bounds: Bounds) -> Figure:
    """Returns a mean with the interval that one more block at each bound gives, cut to the bounds.

    `squares` is the sum over the deals of the square of what each deal moved the mean by; for n equal blocks that is
    the sum of squared deviations by n^2. Student's t has deals + 1 degrees of freedom.
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
    """Returns the difference of two values with its interval: value +- t * error.

    `bounds` are those of the two values, None where they have none. With bounds the error is at least `least_error`,
    and the interval is cut to what such a difference can be.
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

    That all deals so far ended alike does not prove that the next will.
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
    """Returns the probability that the figure estimates a number above 0; None under 10 deals."""
    if figure.error is None:
        return None
    if figure.error == 0.0:
        return 0.5 if figure.value == 0.0 else float(figure.value > 0.0)
    return student_probability(figure.value / figure.error, figure.deals - 1)


def bonferroni_critical(comparisons: int, *, degrees: float, level: float = LEVEL) -> float:
    """Returns the two-sided critical value of Student's t for this many comparisons at once, 1 or more."""
    return student_quantile(1.0 - (1.0 - level) / (2.0 * comparisons), degrees)


def is_claimed(figure: Figure, *, comparisons: int) -> bool:
    """Returns whether a figure differs from 0 at 95 % for so many comparisons at once; never under 10 deals."""
    if figure.error is None:
        return False
    critical = bonferroni_critical(comparisons, degrees=figure.deals - 1)
    return abs(figure.value) > max(critical * figure.error, 1e-9)


@dataclass(frozen=True, eq=False, kw_only=True)
class Estimate:
    """Numbers of entrants that were measured together."""

    entrants: tuple[str, ...]
    values: Floats
    influence: ByDeal
    """What each deal moved each number by, scaled so that R'R is the covariance."""

    deals: Sequence[str]
    """Names of the rows of `influence`."""

    deal_count: int
    """C of the formulas: how many deals the covariance rests on."""

    met: Integers
    """How many deals each entrant sat in."""

    bounds: Bounds | None = None
    """The least and the most that a number can be; None where there is no such limit."""

    unit: float = 0.0
    """For numbers without bounds: what a whole placement point is worth at least."""

    @cached_property
    def covariance(self) -> Floats:
        """V = R'R C / (C - 1), shape (entrants, entrants)."""
        return self.influence.products

    @cached_property
    def difference_errors(self) -> Floats:
        """The standard error of every difference, sqrt(V_aa + V_bb - 2 V_ab), shape (entrants, entrants).

        Numbers with bounds, or with a unit, have at least the `least_error` for the deals of the entrant that sat in
        fewer.
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
        return replace(self, values=offset + factor * self.values, influence=self.influence.scaled(factor), bounds=None)

    def only(self, entrants: tuple[str, ...]) -> Estimate:
        """Returns the estimate of some of its entrants, in the order given."""
        numbers = [self.entrants.index(entrant) for entrant in entrants]
        return replace(
            self,
            entrants=entrants,
            values=self.values[numbers],
            influence=self.influence.chosen(numbers),
            met=self.met[numbers],
        )


def difference_errors(covariance: Floats) -> Floats:
    """Returns the standard errors of all differences, shape as given: a covariance matrix, or a stack of them."""
    variances = np.diagonal(covariance, axis1=-2, axis2=-1)
    both = variances[..., :, None] + variances[..., None, :]
    errors: Floats = np.sqrt(np.maximum(both - 2.0 * covariance, 0.0))
    return errors


def scale_for(deals: int) -> float:
    """Returns sqrt(C / (C - 1)), the small-sample factor; 1 for a single deal, which gets no interval anyway."""
    return math.sqrt(deals / (deals - 1)) if deals > 1 else 1.0


def mean_estimate(
    games: GroupGames, values: Callable[[GroupGames], Integers], *, denominator: int, bounds: Bounds | None = None
) -> Estimate:
    """Returns by entrant the mean, over its games, of an integer value by seat in units of 1 / denominator.

    `values` gives it for some of the games. `bounds` are those of the mean, where it has some. Sums are of integers,
    with one division at the end: entrants that are equal come out equal to the last bit.
    """
    sums: Floats = np.zeros(len(games.entrants))
    for part in games.chunks():
        sums += part.sums(values(part)).sum(axis=0)
    means = sums / (games.played * denominator)
    scale = scale_for(len(games.deals))

    def residuals() -> Iterator[Floats]:
        for part in games.chunks():
            yield (part.sums(values(part)) / denominator - part.appearances * means) / games.played * scale

    return Estimate(
        entrants=games.entrants,
        values=means,
        influence=ByDeal(residuals, deals=len(games.deals), entrants=len(games.entrants)),
        deals=games.deals,
        deal_count=len(games.deals),
        met=games.met,
        bounds=bounds,
    )


def placement_points(games: GroupGames) -> Estimate:
    """Returns the placement points of each entrant, from 0 (always last) to 1 (always first)."""
    return mean_estimate(games, lambda part: part.half_points, denominator=2 * max(games.players - 1, 1), bounds=SHARE)


def win_share(games: GroupGames) -> Estimate:
    """Returns the share of wins: 1 / m for a first place shared by m, 0 for a forfeited seat."""
    parts = math.lcm(*range(1, games.players + 1))

    def shares(part: GroupGames) -> Integers:
        first = (part.places == 1) & ~part.forfeited
        winners = np.maximum(first.sum(axis=1), 1)
        return np.asarray(first * (parts // winners)[:, None])

    return mean_estimate(games, shares, denominator=parts, bounds=SHARE)


def mean_margin(games: GroupGames) -> Estimate:
    """Returns the mean of the score minus the mean score of the table, in points of the game."""

    def margins(part: GroupGames) -> Integers:
        return np.asarray(part.scores * part.players - part.scores.sum(axis=1, keepdims=True))

    return mean_estimate(games, margins, denominator=games.players)


def seat_figures(games: GroupGames) -> tuple[SeatFigure, ...]:
    """Returns what each seat is worth in placement points, with errors clustered by deal."""
    names = tuple(str(seat) for seat in range(games.players))
    seats = np.broadcast_to(np.arange(games.players, dtype=games.seats.dtype), games.seats.shape)
    points = placement_points(replace(games, entrants=names, seats=seats))
    effects = replace(
        points,
        values=points.values - points.values.mean(),
        influence=points.influence.changed(
            lambda rows: rows - rows.mean(axis=1, keepdims=True), matrix=np.eye(games.players) - 1.0 / games.players
        ),
    )
    figures = []
    for seat, name in enumerate(names):
        effect = difference_figure(
            float(effects.values[seat]),
            error=math.sqrt(float(effects.covariance[seat, seat])),
            deals=int(effects.met[seat]),
            bounds=SHARE,
        )
        claimed = is_claimed(effect, comparisons=games.players)
        figures.append(SeatFigure(seat=seat, points=points.figure(name), effect=effect, claimed=claimed))
    return tuple(figures)


def entrants_by_seat(games: GroupGames) -> tuple[EntrantSeat, ...]:
    """Returns the mean placement points of each entrant in each seat, by name and seat."""
    size, players = len(games.entrants), games.players
    counted: Integers = np.zeros(size * players, dtype=np.int64)
    summed: Floats = np.zeros(size * players)
    for part in games.chunks():
        cells = (part.seats * players + np.arange(players)).ravel()
        counted += np.bincount(cells, minlength=size * players)
        summed += np.bincount(cells, weights=part.half_points.ravel(), minlength=size * players)
    counts, halves = counted.tolist(), summed.tolist()
    return tuple(
        EntrantSeat(
            entrant=games.entrants[cell // players],
            seat=cell % players,
            games=count,
            points=halves[cell] / (2 * max(players - 1, 1) * count) if count else None,
        )
        for cell, count in enumerate(counts)
    )


def variance_removed(games: GroupGames) -> float | None:
    """Returns the share of the variance of differences that rotating each deal removed; None under 10 deals.

    It is also the share of games saved: with a deal for each game, the same errors would take games / (1 - share)
    games. It is negative where the rotations of a deal tend to repeat each other. Games of the same table are compared,
    so that its bots are not taken for luck; tables with a single deal say nothing. Cost: a sort.
    """
    tables, table = _tables(games)
    games_at = np.bincount(table, minlength=tables)
    deals_at: Integers = np.zeros(tables, dtype=np.int64)
    sums: Floats = np.zeros((tables, games.players))
    for part, own in games.chunks_with(table):
        blocks, _, _ = distinct(own * len(part.deals) + part.deal, bound=tables * len(part.deals))
        deals_at += np.bincount(blocks // len(part.deals), minlength=tables)
        sums += _sums(_halves_by_entrant(part), own, size=tables)
    told = deals_at > 1
    if int(deals_at[told].sum()) < FEWEST_DEALS:
        return None
    means = sums / games_at[:, None]
    apart = together = 0.0
    for part, own in games.chunks_with(table):
        blocks, block, _ = distinct(own * len(part.deals) + part.deal, bound=tables * len(part.deals))
        table_of_block = blocks // len(part.deals)
        residuals = _halves_by_entrant(part) - means[own]
        apart += float((_squared_differences(residuals) * (told / _less_one(games_at))[own]).sum())
        of_blocks = _sums(residuals, block, size=len(blocks))
        together += float((_squared_differences(of_blocks) * (told / _less_one(deals_at))[table_of_block]).sum())
    return 1.0 - together / apart if apart > 0.0 else None


def _halves_by_entrant(games: GroupGames) -> Floats:
    """Returns the half points of each game in the order of its entrants."""
    order = np.argsort(games.seats, axis=1)
    return np.take_along_axis(games.half_points, order, axis=1).astype(np.float64)


def _tables(games: GroupGames) -> tuple[int, Integers]:
    """Returns how many different tables there are, and the number of the table of each game."""
    size, seated = len(games.entrants), np.sort(games.seats, axis=1)
    number: Integers = np.zeros(len(seated), dtype=np.int64)
    bound = 1
    for entrants in seated.T:
        found, number, _ = distinct(number * size + entrants, bound=bound * size)
        bound = len(found)
    return bound, number


def _sums(values: Floats, number: Integers, *, size: int) -> Floats:
    """Returns the sums of the rows with the same number, which is below `size`."""
    columns = [np.bincount(number, weights=values[:, column], minlength=size) for column in range(values.shape[1])]
    return np.stack(columns, axis=1)


def _squared_differences(values: Floats) -> Floats:
    """Returns for each row the sum of the squared differences of all pairs."""
    sums: Floats = values.shape[1] * (values**2).sum(axis=1) - values.sum(axis=1) ** 2
    return sums


def _less_one(counts: Integers) -> Floats:
    """Returns (n - 1) / n, the inverse of the small-sample factor; 1 where n is 1, which is not used."""
    factors: Floats = np.where(counts > 1, (counts - 1) / counts, 1.0)
    return factors
