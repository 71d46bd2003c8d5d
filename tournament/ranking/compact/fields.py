"""Expected points at tables drawn evenly from a field, whoever met whom so far: for ladders on which bots come and go.

A placement point is the share of the others at the table that a seat finished above, and in a Plackett-Luce model that
share is known from the strengths. What was scored beyond it is taken for a sum of what each other one at the table adds
to the points of an entrant, and these sums are fitted for each entrant, as far as there are deals to tell. So bots
whose strengths form no line are not taken for stronger because they sat more often with those whom they beat, or who
weaken others.

Errors are clustered by deal, and leave out each deal in turn with one Newton step. Source: `docs/statistics.md`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from scipy import linalg  # type: ignore[import-untyped, unused-ignore]

from tournament.ranking.compact.by_deal import ByDeal, Floats
from tournament.ranking.compact.differences import informations_by_order
from tournament.ranking.group_games import GroupGames, Integers
from tournament.ranking.points import SHARE, Estimate, scale_for
from tournament.ranking.strengths import distinct_orders, information_of_orders, most_probable, scores_of_choices

_DEALS_OF_MODEL: Final = 3.0, 3000.0
"""Between these lies what the model says of two at a table, counted in deals that they shared."""

_VIRTUAL_GAMES: Final = 1.0
_LONG_STEP: Final = 0.02
_GAMES_AT_ONCE: Final = 1 << 16
_MOST_STEPS: Final = 100
_MOST_LEVERAGE: Final = 0.5
_KEEPS_STEPS_FINITE: Final = 1e-6  # where the fit has no end without one deal, that deal moves it very far


@dataclass(frozen=True, eq=False, kw_only=True)
class FieldFigures:
    """How the entrants of a field compare in one group."""

    strengths: Floats
    """Of every entrant of the games, in their order: natural logarithms of odds."""

    points: Estimate
    """Expected points at tables drawn evenly from the field."""

    relative: Estimate
    """Strengths of the field less their mean."""


def fit_field(games: GroupGames, field: Sequence[str], *, start: Floats | None = None) -> FieldFigures | None:
    """Returns the figures of the entrants of a field; None where fewer than two are in it, or the search has no end.

    The games are whole blocks, each on a deal of its own, in the order of the deals and by rotation. All of the field
    have played; games with others are evidence, too. `start` are strengths to begin the search at, in the order of the
    entrants. The influence of the estimates is a root of their covariance: it has no row for each deal. Cost: a few
    Newton steps over the distinct orders, each with a system of equations of the size of all entrants.
    """
    if len(field) < 2:
        return None
    size = len(games.entrants)
    all_orders, _ = distinct_orders(games)
    strengths = most_probable(
        all_orders, size, virtual_games=_VIRTUAL_GAMES, start=start, renewed_above=_LONG_STEP, solver=_solver
    )
    if strengths is None:
        return None
    information = information_of_orders(all_orders, strengths, virtual_games=_VIRTUAL_GAMES)
    inverse = _inverse(information)
    del all_orders
    numbers = [games.entrants.index(name) for name in field]
    tables = _tables(games, numbers, strengths)
    moments = _moments(games, inverse, strengths=strengths, tables=tables)
    met = np.bincount(_members(games).ravel(), minlength=size)[numbers]

    def estimate(values: Floats, covariance: Floats) -> Estimate:
        return Estimate(
            entrants=tuple(field),
            values=values,
            influence=ByDeal.of(_root(covariance)),
            deals=("",) * len(field),
            deal_count=len(games.deals),
            met=met,
        )

    centring = np.eye(len(field)) - 1.0 / len(field)
    points = estimate(tables.points, moments.covariance(tables.slopes @ inverse, own=1.0) + np.diag(tables.unseen))
    relative = estimate(centring @ strengths[numbers], moments.covariance(centring @ inverse[numbers], own=0.0))
    return FieldFigures(strengths=strengths, points=replace(points, bounds=SHARE), relative=relative)


def _solver(matrix: Floats) -> Callable[[Floats], Floats]:
    """Returns what solves systems of equations with a positive definite matrix, at half the usual cost and less."""
    factor = linalg.cho_factor(matrix, check_finite=False)
    return lambda right: np.asarray(linalg.cho_solve(factor, right, check_finite=False), dtype=np.float64)


def _inverse(matrix: Floats) -> Floats:
    """Returns the inverse of a positive definite matrix, at a third of the usual cost."""
    factor, _ = linalg.lapack.dpotrf(matrix, lower=True, clean=True)
    below, _ = linalg.lapack.dpotri(factor, lower=True)
    inverse: Floats = below + below.T
    inverse[np.diag_indices(len(inverse))] /= 2.0
    return inverse


def _members(games: GroupGames) -> Integers:
    """Returns who sat in each block, in the order of the seats of rotation 0, shape (blocks, players)."""
    return games.seats[:: games.players]


def _parts(games: GroupGames) -> Iterator[GroupGames]:
    """Yields the games in parts of whole blocks, with integers that can be counted with."""
    players = games.players
    step = max(_GAMES_AT_ONCE // players, 1)
    for first in range(0, len(games.deals), step):
        last = min(first + step, len(games.deals))
        rows = slice(first * players, last * players)
        yield replace(
            games,
            deals=games.deals[first:last],
            seats=games.seats[rows].astype(np.int64),
            deal=np.repeat(np.arange(last - first), players),
            half_points=games.half_points[rows].astype(np.int64),
            places=games.places[rows].astype(np.int64),
            scores=games.scores[rows],
            forfeited=games.forfeited[rows],
        )


def _points(games: GroupGames) -> Floats:
    """Returns the placement points of each member of each block, shape (blocks, players)."""
    players = games.players
    halves = games.half_points.reshape(-1, players, players)
    points: Floats = np.zeros((len(halves), players))
    for rotation in range(players):
        points += halves[:, rotation, (np.arange(players) - rotation) % players]  # the seat of each member
    return points / (2 * (players - 1) * players)


@dataclass(frozen=True, eq=False, kw_only=True)
class _Tables:
    """The points of the field beyond what the model expects, as sums of what each other one at a table adds.

    Those sums are fitted with a ridge. Arrays with a row for each member of each block have 0 for whoever is not in the
    field.
    """

    place: Integers
    """Of each entrant in the field; -1 for others."""

    moved: Floats
    """What each block adds to the expected points of each member, shape (blocks, players)."""

    points: Floats
    """Expected points, shape (field,)."""

    slopes: Floats
    """The derivatives of the points by the strengths of all entrants, shape (field, entrants)."""

    unseen: Floats
    """The variance of what others add, as far as deals have not shown it yet, shape (field,)."""


def _tables(games: GroupGames, numbers: Sequence[int], strengths: Floats) -> _Tables:
    """Returns what tables say of the field beyond the model, which gives each table a value for each of the field.

    With G the inverse of the normal equations of the ridge, the sum that an even table adds is even' G X' values: so
    each table counts with the weight X G even, whatever was scored.
    """
    count, size, players = len(numbers), len(games.entrants), games.players
    place = np.full(size, -1, dtype=np.int64)
    place[numbers] = np.arange(count)
    members = _members(games).astype(np.int64)
    model = 1.0 / (1.0 + np.exp(strengths[None, :] - strengths[numbers][:, None]))
    scored = np.concatenate([_points(part) for part in _parts(games)])
    inside = place[members] >= 0
    rows = np.nonzero(inside)
    others = (np.arange(players)[:, None] + np.arange(1, players)) % players
    cells = place[members[rows]][:, None] * size + members[rows[0][:, None], others[rows[1]]]
    values = scored[rows] - model.ravel()[cells].mean(axis=1)
    ridge = _Ridge(cells, values, shape=(count, size))
    even = np.zeros((count, size))
    even[:, numbers] = (players - 1) / (count - 1)
    even[np.arange(count), numbers] = 0.0
    solved = ridge.solved(even)
    weights = solved.ravel()[cells].sum(axis=1)
    added = ridge.solved(ridge.sums(values)).ravel()[cells].sum(axis=1)
    leverage = np.minimum((1.0 / (ridge.met.ravel()[cells] + ridge.deals)).sum(axis=1), _MOST_LEVERAGE)

    moved = np.zeros(members.shape)
    moved[rows] = weights * (values - added) / (1.0 - leverage)
    expected = even / (players - 1)
    # The weights take back what the model says as far as tables say it themselves.
    bends = model * (1.0 - model) * (expected - ridge.sums(weights) / (players - 1))
    slopes = -bends
    slopes[np.arange(count), numbers] += bends.sum(axis=1)
    corrections = np.bincount(place[members[rows]], weights=weights * values, minlength=count)
    return _Tables(
        place=place,
        moved=moved,
        points=(model * expected).sum(axis=1) + corrections,
        slopes=slopes,
        unseen=ridge.deals * ridge.noise * (solved**2).sum(axis=1),
    )


class _Ridge:
    """The normal equations of what each entrant adds to the points of each of the field at one table."""

    def __init__(self, cells: Integers, values: Floats, *, shape: tuple[int, int]) -> None:
        """Takes rows of the regression: the cells (of the field by entrants) in each sum, and the value of each."""
        self._cells = cells
        self._shape = shape
        self.met = self.sums(np.ones(len(cells)))
        """On how many deals each pair met."""

        self.noise = float((values**2).mean())
        """The variance of a value."""

        self.deals = self._deals_of_model(values)
        """What the model says of two at a table counts as much as so many deals that they shared."""

    def _deals_of_model(self, values: Floats) -> float:
        """Returns the variance of values over that of what others add.

        The latter is seen in the products of values of different deals in the same cell. That the values of each of
        the field add up to about 0, since its strength was fitted to them, makes these a little too small.
        """
        products = float((self.sums(values) ** 2 - self.sums(values**2)).sum())
        pairs = float((self.met**2 - self.met).sum())
        sat = self.met.sum(axis=1, keepdims=True) / self._cells.shape[1]
        fitted = self.noise * float((self.met**2 / np.maximum(sat, 1.0)).sum())
        added = (products + fitted) / max(pairs, 1.0)
        return float(np.clip(self.noise / max(added, 1e-9), *_DEALS_OF_MODEL))

    def sums(self, values: Floats) -> Floats:
        """Returns the sum of a value of each row by cell."""
        repeated = np.repeat(values, self._cells.shape[1])
        size = self._shape[0] * self._shape[1]
        sums = np.bincount(self._cells.ravel(), weights=repeated, minlength=size)
        return np.asarray(sums, dtype=np.float64).reshape(self._shape)

    def solved(self, right: Floats) -> Floats:
        """Returns the solution for a right side, by conjugate gradients for all of the field at once."""
        scale = self.met + self.deals
        found: Floats = right / scale
        rest = right - self._applied(found)
        along = rest / scale
        height = (rest * along).sum(axis=1)
        least = 1e-24 * np.maximum((right * found).sum(axis=1), 1e-12)
        for _ in range(_MOST_STEPS):
            if (height <= least).all():
                break
            bent = self._applied(along)
            step = height / np.maximum((along * bent).sum(axis=1), 1e-300)
            found += step[:, None] * along
            rest -= step[:, None] * bent
            scaled = rest / scale
            before, height = height, (rest * scaled).sum(axis=1)
            along = scaled + (height / np.maximum(before, 1e-300))[:, None] * along
        return found

    def _applied(self, values: Floats) -> Floats:
        return self.sums(values.ravel()[self._cells].sum(axis=1)) + self.deals * values


@dataclass(frozen=True, eq=False, kw_only=True)
class _Moments:
    """Sums over the deals, of which each moves an estimate by `matrix @ x + r`.

    x are the pulls on the strengths of all entrants, r what the deal adds to the points of the field itself.
    """

    deals: int
    pulls: Floats
    """Of x x'."""

    both: Floats
    """Of x r'."""

    own: Floats
    """Of r r'."""

    pull_sum: Floats
    own_sum: Floats

    def covariance(self, matrix: Floats, *, own: float) -> Floats:
        """Returns the covariance of an estimate that a deal moves by `matrix @ x + own * r`."""
        crossed = own * matrix @ self.both
        sums = matrix @ self.pulls @ matrix.T + crossed + crossed.T + own**2 * self.own
        total = matrix @ self.pull_sum + own * self.own_sum
        covariance: Floats = scale_for(self.deals) ** 2 * (sums - np.outer(total, total) / self.deals)
        return covariance


def _moments(games: GroupGames, inverse: Floats, *, strengths: Floats, tables: _Tables) -> _Moments:
    size, count = len(games.entrants), len(tables.points)
    odds = np.exp(strengths)
    pulls: Floats = np.zeros(size * size)
    both: Floats = np.zeros(size * count)
    own: Floats = np.zeros(count * count)
    pull_sum: Floats = np.zeros(size)
    own_sum: Floats = np.zeros(count)
    first = 0
    for part in _parts(games):
        members = _members(part)
        moved = tables.moved[first : first + len(members)]
        first += len(members)
        pull = _pulls(part, inverse, odds)
        placed = np.maximum(tables.place[members], 0)  # whoever is not in the field adds 0 to the first of it
        pull_sum += np.bincount(members.ravel(), weights=pull.ravel(), minlength=size)
        own_sum += np.bincount(placed.ravel(), weights=moved.ravel(), minlength=count)
        pulls += _sums_of_products((members, pull, size), (members, pull, size))
        both += _sums_of_products((members, pull, size), (placed, moved, count))
        own += _sums_of_products((placed, moved, count), (placed, moved, count))
    return _Moments(
        deals=len(games.deals),
        pulls=pulls.reshape(size, size),
        both=both.reshape(size, count),
        own=own.reshape(count, count),
        pull_sum=pull_sum,
        own_sum=own_sum,
    )


def _sums_of_products(rows: tuple[Integers, Floats, int], columns: tuple[Integers, Floats, int]) -> Floats:
    """Returns the sum over blocks of the products of two rows, each given by places, values and its length."""
    cells = rows[0][:, :, None] * columns[2] + columns[0][:, None, :]
    values = rows[1][:, :, None] * columns[1][:, None, :]
    sums = np.bincount(cells.ravel(), weights=values.ravel(), minlength=rows[2] * columns[2])
    return np.asarray(sums, dtype=np.float64)


def _pulls(games: GroupGames, inverse: Floats, odds: Floats) -> Floats:
    """Returns how each block pulls on the strengths of its members when it is left out, shape (blocks, players).

    With G the inverse information, and s and A slope and information of the block, the fit without it is G x away,
    where (1 - A G) x = s.
    """
    players = games.players
    found, order_of_game = distinct_orders(games)
    kinds = sum(len(orders.rows) for orders in found)
    finishers = np.zeros((kinds, players), dtype=np.int64)
    slope, bend = np.zeros((kinds, players)), np.zeros((kinds, players, players))
    for orders in found:
        finishers[orders.rows] = orders.seats
        slope[orders.rows] = scores_of_choices(orders, odds)
        bend[orders.rows] = informations_by_order(orders, odds)
    members = _members(games)
    slopes, bends = np.zeros(members.shape), np.zeros((*members.shape, players))
    by_rotation = order_of_game.reshape(-1, players)
    for rotation in range(players):
        order = by_rotation[:, rotation]
        # the place among the members of who finished first, second, ...
        place = (finishers[order][:, :, None] == members[:, None, :]).argmax(axis=2)
        rows = np.arange(len(members))[:, None]
        slopes[rows, place] += slope[order]
        bends[rows[:, :, None], place[:, :, None], place[:, None, :]] += bend[order]
    near = inverse[members[:, :, None], members[:, None, :]]
    left = (1.0 + _KEEPS_STEPS_FINITE) * np.eye(players) - bends @ near
    return np.asarray(np.linalg.solve(left, slopes[:, :, None])[:, :, 0], dtype=np.float64)


def _root(covariance: Floats) -> Floats:
    """Returns a matrix R for which R'R is a covariance."""
    values, vectors = np.linalg.eigh((covariance + covariance.T) / 2.0)
    return np.asarray(np.sqrt(np.maximum(values, 0.0))[:, None] * vectors.T, dtype=np.float64)
