"""Ratings: strengths of a Plackett-Luce model, with ties, a mild prior and errors clustered by deal.

A game is read as choices: who is first among all, who is first among the rest, and so on. A tie stands
for every order compatible with it, each with the same weight; the mean of their log-likelihoods is a sum
over the subsets of the tied seats, so that no order has to be listed. The prior gives each entrant half
a virtual win and half a virtual loss against strength 0, so that whoever won every game has a rating too.
Source: `docs/statistics.md`; Plackett-Luce in Hunter, Annals of Statistics 32 (2004).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np

from tournament.ranking.group_games import Booleans, Floats, GroupGames, Integers, distinct
from tournament.ranking.points import Estimate, scale_for

RATING_OF_ZERO = 1500.0
RATING_PER_STRENGTH = 173.7178
"""400 / ln 10: a strength difference of ln 10 is 400 points, as in chess."""

_STEPS = 200
_PRECISION = 1e-11
_RIDGE = 1e-6  # where one deal alone joins two sides, the step without it is endless: so it is very long
_LONGEST_STEP = 4.0  # keeps the first steps of a lopsided tournament from overshooting
_RUNAWAY = 12.0  # more than 2,000 rating points above the mean: without a prior the maximum lies at infinity


@dataclass(frozen=True, eq=False, kw_only=True)
class Orders:
    """The distinct finishing orders with one pattern of ties."""

    seats: Integers
    """Entrants from first to last, shape (orders, players)."""

    counts: Floats
    """How many games ended so."""

    rows: Integers
    """The place of each order among all distinct orders."""

    weights: Floats
    """The weight of each choice of the pattern."""

    chosen_from: Floats
    """Which positions each choice was made from, shape (choices, players), 0 or 1."""

    def seating(self, entrants: Sequence[int]) -> Orders:
        """Returns the orders in which one of these entrants took part."""
        there = np.isin(self.seats, entrants).any(axis=1)
        return replace(self, seats=self.seats[there], counts=self.counts[there], rows=self.rows[there])


@dataclass(frozen=True, eq=False, kw_only=True)
class Strengths:
    """Strengths theta (natural logarithms of odds)."""

    estimate: Estimate
    """Strengths, with the sandwich errors clustered by deal."""

    model_covariance: Floats
    """The inverse information: what the error would be if the model were true and games independent."""

    orders: tuple[Orders, ...]
    """How the games ended."""


def ratings(strengths: Strengths) -> Estimate:
    """Returns the strengths as ratings: 1500 + 173.7178 theta."""
    return strengths.estimate.scaled(RATING_PER_STRENGTH, offset=RATING_OF_ZERO)


def fit_strengths(games: GroupGames, *, virtual_games: float = 1.0) -> Strengths | None:
    """Returns the strengths that are most probable given the games.

    `virtual_games` is the weight of the prior. With 0 the strengths have mean 0, and the answer is None when the games
    alone do not bound them (an entrant never lost to the others, or never met them). Cost: a sort of the games, then a
    few Newton steps over the distinct orders.
    """
    size = len(games.entrants)
    all_orders, order_of_game = _distinct_orders(games)
    strengths = _most_probable(all_orders, size, virtual_games=virtual_games)
    if strengths is None:
        return None
    information = _information(all_orders, strengths, virtual_games=virtual_games)
    inverse: Floats = np.linalg.inv(information).astype(np.float64)
    if virtual_games == 0.0:
        inverse -= 1.0 / size
    scores = np.zeros((sum(len(orders.seats) for orders in all_orders), games.players))
    finishers = np.zeros(scores.shape, dtype=np.int64)
    for orders in all_orders:
        scores[orders.rows] = _scores(orders, np.exp(strengths))
        finishers[orders.rows] = orders.seats
    cells = games.deal[:, None] * size + finishers[order_of_game]
    by_deal = np.bincount(cells.ravel(), weights=scores[order_of_game].ravel(), minlength=len(games.deals) * size)
    influence = by_deal.reshape(len(games.deals), size) @ inverse
    estimate = Estimate(
        entrants=games.entrants,
        values=strengths,
        influence=influence * scale_for(len(games.deals)),
        deals=games.deals,
        deal_count=len(games.deals),
        met=np.count_nonzero(games.appearances, axis=0),
    )
    return Strengths(estimate=estimate, model_covariance=inverse, orders=tuple(all_orders))


def expected_choices(all_orders: Sequence[Orders], strengths: Floats) -> Floats:
    """Returns in how many choices each entrant should have been the one that was chosen, by these strengths."""
    odds = np.exp(strengths)
    expected: Floats = np.zeros(len(strengths))
    for orders in all_orders:
        weighted = orders.counts[:, None] * (1.0 - _scores(orders, odds))
        expected += np.bincount(orders.seats.ravel(), weights=weighted.ravel(), minlength=len(strengths))
    return expected


def information_of_games(all_orders: Sequence[Orders], strengths: Floats) -> Floats:
    """Returns minus the second derivative of the log-likelihood without a prior, which has no inverse."""
    return _information(list(all_orders), strengths, virtual_games=0.0) - 1.0 / len(strengths)


def _distinct_orders(games: GroupGames) -> tuple[list[Orders], Integers]:
    size, players = len(games.entrants), games.players
    ranked = np.sort(games.places * size + games.seats, axis=1)
    finishers, places = ranked % size, ranked // size
    ties = (places[:, 1:] == places[:, :-1]) @ (1 << np.arange(players - 1))
    codes = 2 ** (players - 1) * size**players
    if codes < 2**62:
        found, order_of_game, counts = distinct(
            ties * size**players + finishers @ size ** np.arange(players), bound=codes
        )
        example = np.zeros(len(found), dtype=np.int64)
        example[order_of_game] = np.arange(len(ties))
        finishers, ties = finishers[example], ties[example]
    else:  # a code would not fit into 64 bits: every game is its own order, which is slower and no less right
        order_of_game, counts = np.arange(len(ties)), np.ones(len(ties), dtype=np.int64)
    all_orders = []
    for pattern in np.unique(ties).tolist():
        rows = np.flatnonzero(ties == pattern)
        weights, chosen_from = _choices(pattern, players)
        seats, played = finishers[rows], counts[rows].astype(np.float64)
        all_orders.append(Orders(seats=seats, counts=played, rows=rows, weights=weights, chosen_from=chosen_from))
    return all_orders, order_of_game


@lru_cache(maxsize=4096)
def _choices(pattern: int, players: int) -> tuple[Floats, Floats]:
    # With j of m tied seats still to be placed, each j-subset of them stands before the rest equally often.
    weights: list[float] = []
    chosen_from: list[list[float]] = []
    start = 0
    while start < players:
        end = start + 1
        while end < players and pattern >> (end - 1) & 1:
            end += 1
        rest = set(range(end, players))
        for left in range(1, end - start + 1):
            for subset in combinations(range(start, end), left):
                weights.append(1.0 / comb(end - start, left))
                chosen_from.append([float(seat in rest or seat in subset) for seat in range(players)])
        start = end
    return np.array(weights), np.array(chosen_from)


def _most_probable(
    all_orders: list[Orders], size: int, *, virtual_games: float, runaway: float = _RUNAWAY
) -> Floats | None:
    strengths: Floats = np.zeros(size)
    height = _log_posterior(all_orders, strengths, virtual_games=virtual_games)
    for _ in range(_STEPS):
        slope = _slope(all_orders, strengths, virtual_games=virtual_games)
        step = np.linalg.solve(_information(all_orders, strengths, virtual_games=virtual_games), slope)
        step *= min(1.0, _LONGEST_STEP / max(float(np.abs(step).max()), _PRECISION))
        reached = _log_posterior(all_orders, strengths + step, virtual_games=virtual_games)
        while reached < height - 1e-9 * abs(height):
            step = step / 2.0
            reached = _log_posterior(all_orders, strengths + step, virtual_games=virtual_games)
        strengths, height = strengths + step, reached
        if virtual_games == 0.0 and float(np.abs(strengths).max()) > runaway:
            return None
        if float(np.abs(step).max()) < _PRECISION:
            return strengths
    return None


def _log_posterior(all_orders: list[Orders], strengths: Floats, *, virtual_games: float) -> float:
    odds = np.exp(strengths)
    total = virtual_games * float((strengths / 2.0 - np.log1p(odds)).sum())
    for orders in all_orders:
        chosen = np.log(odds[orders.seats] @ orders.chosen_from.T) @ orders.weights
        total += float(orders.counts @ (strengths[orders.seats].sum(axis=1) - chosen))
    return total


def _scores(orders: Orders, odds: Floats) -> Floats:
    own = odds[orders.seats]
    shares = (orders.weights / (own @ orders.chosen_from.T)) @ orders.chosen_from
    scores: Floats = 1.0 - own * shares
    return scores


def _slope(all_orders: list[Orders], strengths: Floats, *, virtual_games: float) -> Floats:
    odds = np.exp(strengths)
    slope = virtual_games * (0.5 - odds / (1.0 + odds))
    for orders in all_orders:
        weighted = orders.counts[:, None] * _scores(orders, odds)
        slope += np.bincount(orders.seats.ravel(), weights=weighted.ravel(), minlength=len(strengths))
    return slope


def _information(all_orders: list[Orders], strengths: Floats, *, virtual_games: float) -> Floats:
    """Returns minus the second derivative; without a prior its flat direction is filled, so that it has an inverse."""
    size = len(strengths)
    odds = np.exp(strengths)
    information: Floats = np.zeros((size, size))
    for orders in all_orders:
        players = orders.seats.shape[1]
        own = odds[orders.seats]
        squares = orders.counts[:, None] * orders.weights / (own @ orders.chosen_from.T) ** 2
        together = (orders.chosen_from[:, :, None] * orders.chosen_from[:, None, :]).reshape(-1, players * players)
        products = (squares @ together).reshape(-1, players, players) * own[:, :, None] * own[:, None, :]
        cells = orders.seats[:, :, None] * size + orders.seats[:, None, :]
        sums = np.bincount(cells.ravel(), weights=products.ravel(), minlength=size * size)
        information -= sums.reshape(size, size)
    np.fill_diagonal(information, 0.0)
    np.fill_diagonal(information, -information.sum(axis=1) + virtual_games * odds / (1.0 + odds) ** 2)
    if virtual_games == 0.0:
        information += 1.0 / size
    return information


def fit_differences(games: GroupGames, members: Sequence[str]) -> Estimate | None:
    """Returns the strengths of some entrants by the games among them alone, without a prior; their mean is 0.

    Errors come from leaving out one deal after the other, with one Newton step each: they count how far a deal pulled
    the fit itself, which sandwich errors leave out. The rows of the influence are all deals of the group. `met` counts
    the deals in which a member sat with another one. The `members` have to be strongly connected by wins and ties; None
    when the search does not end. Cost: that of a fit, and for each deal a system of equations of the size of a table.
    """
    entrants = tuple(sorted(members))
    size, tables = len(entrants), _tables_among(games, entrants)
    all_orders = [(_distinct_orders(table), table.deal) for table in tables]
    fitted = [orders for (found, _), _ in all_orders for orders in found]
    strengths = _most_probable(fitted, size, virtual_games=0.0, runaway=math.inf)
    if strengths is None:
        return None
    inverse: Floats = np.linalg.inv(_information(fitted, strengths, virtual_games=0.0)).astype(np.float64) - 1.0 / size
    odds = np.exp(strengths)
    slopes: list[_DealSlopes] = []
    for (found, order_of_game), deal in all_orders:
        players = found[0].seats.shape[1]
        rows = sum(len(orders.seats) for orders in found)
        finishers = np.zeros((rows, players), dtype=np.int64)
        slope, bend = np.zeros((rows, players)), np.zeros((rows, players, players))
        for orders in found:
            finishers[orders.rows] = orders.seats
            slope[orders.rows] = _scores(orders, odds)
            bend[orders.rows] = _informations(orders, odds)
        cells = deal[:, None] * size + finishers[order_of_game]
        slopes.append(_DealSlopes(cells, slope[order_of_game], bend[order_of_game]))
    influence = np.zeros((len(games.deals), size))
    sat = np.zeros((len(games.deals), size), dtype=np.bool_)
    sat.ravel()[np.concatenate([one.cells.ravel() for one in slopes])] = True
    for count in range(2, int(sat.sum(axis=1).max(initial=0)) + 1):
        deals = np.flatnonzero(sat.sum(axis=1) == count)
        if len(deals):
            influence[deals] = _steps_without(deals, sat, slopes, inverse)
    used = sat.any(axis=1)
    informative = int(used.sum())
    influence[used] -= influence[used].mean(axis=0)
    return Estimate(
        entrants=entrants,
        values=strengths - strengths.mean(),
        influence=influence / scale_for(informative),
        deals=games.deals,
        deal_count=informative,
        met=sat.sum(axis=0).astype(np.int64),
    )


def _tables_among(games: GroupGames, entrants: tuple[str, ...]) -> list[GroupGames]:
    """Returns the games cut down to some entrants, by how many of them sat in a game: two or more.

    A game says of their order what the same choices among fewer would say: the strengths of the others drop out.
    """
    number = np.full(len(games.entrants), -1, dtype=np.int64)
    for at, name in enumerate(entrants):
        number[games.entrants.index(name)] = at
    seats = number[games.seats]
    inside = seats >= 0
    tables = []
    for players in range(2, games.players + 1):
        rows = inside.sum(axis=1) == players
        if rows.any():
            kept = inside[rows]
            tables.append(
                replace(
                    games,
                    players=players,
                    entrants=entrants,
                    seats=seats[rows][kept].reshape(-1, players),
                    places=games.places[rows][kept].reshape(-1, players),
                    deal=games.deal[rows],
                )
            )
    return tables


class _DealSlopes(NamedTuple):
    """How games with the same number of members pull on the strengths, seat by seat."""

    cells: Integers
    """The number of (deal, member) in a table of deals by members, shape (games, seats)."""

    scores: Floats
    """The first derivatives by the strength of each seat, shape (games, seats)."""

    informations: Floats
    """Minus the second derivatives, shape (games, seats, seats)."""


def _steps_without(deals: Integers, sat: Booleans, slopes: Sequence[_DealSlopes], inverse: Floats) -> Floats:
    """Returns how far each of some deals moves the strengths: one Newton step from the fit without it.

    All these deals have the same number of members. With G the inverse information, and s and A slope and information
    of the deal, the step is G x, where (1 - A G) x = s: only the rows of the members are needed.
    """
    size = sat.shape[1]
    members = np.nonzero(sat[deals])[1].reshape(len(deals), -1)
    count = members.shape[1]
    row = np.full(len(sat), -1, dtype=np.int64)
    row[deals] = np.arange(len(deals))
    place = np.cumsum(sat, axis=1) - 1  # of an entrant among the members of a deal
    slope = np.zeros(len(deals) * count)
    bend = np.zeros(len(deals) * count * count)
    for cell, score, pair in slopes:
        rows = row[cell[:, 0] // size]
        here = rows >= 0
        at = rows[here, None] * count + place.ravel()[cell[here]]
        slope += np.bincount(at.ravel(), weights=score[here].ravel(), minlength=len(slope))
        both = at[:, :, None] * count + at[:, None, :] % count
        bend += np.bincount(both.ravel(), weights=pair[here].ravel(), minlength=len(bend))
    near = inverse[members[:, :, None], members[:, None, :]]
    left = (1.0 + _RIDGE) * np.eye(count) - bend.reshape(-1, count, count) @ near
    solved = np.linalg.solve(left, slope.reshape(-1, count, 1))[:, :, 0]
    steps: Floats = np.einsum("dm,dmn->dn", solved, inverse[members])
    return steps


def _informations(orders: Orders, odds: Floats) -> Floats:
    """Returns minus the second derivative of each order by the strengths of its seats, shape (orders, seats, seats)."""
    own = odds[orders.seats]
    squares = orders.weights / (own @ orders.chosen_from.T) ** 2
    together = orders.chosen_from[:, :, None] * orders.chosen_from[:, None, :]
    products = np.tensordot(squares, together, axes=1) * own[:, :, None] * own[:, None, :]
    diagonal = np.arange(own.shape[1])
    products[:, diagonal, diagonal] = 0.0
    informations: Floats = -products
    informations[:, diagonal, diagonal] = products.sum(axis=2)
    return informations
