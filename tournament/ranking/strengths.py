"""Ratings: strengths of a Plackett-Luce model, with ties, a mild prior and errors clustered by deal.

A game is read as choices: who is first among all, who is first among the rest, and so on. A tie stands
for every order compatible with it, each with the same weight; the mean of their log-likelihoods is a sum
over the subsets of the tied seats, so that no order has to be listed. The prior gives each entrant half
a virtual win and half a virtual loss against strength 0, so that whoever won every game has a rating too.
Source: `docs/statistics.md`; Plackett-Luce in Hunter, Annals of Statistics 32 (2004).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from math import comb

import numpy as np

from tournament.ranking.compact.by_deal import ByDeal, Floats
from tournament.ranking.group_games import Booleans, GroupGames, Integers, distinct
from tournament.ranking.points import Estimate, scale_for

RATING_OF_ZERO = 1500.0
RATING_PER_STRENGTH = 173.7178
"""400 / ln 10: a strength difference of ln 10 is 400 points, as in chess."""

_STEPS = 200
_PRECISION = 1e-11
_LONGEST_STEP = 4.0  # keeps the first steps of a lopsided tournament from overshooting
_MOST_ORDERS = 1 << 16  # so many are worked on at once
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
        there: Booleans = np.asarray(np.isin(self.seats, entrants).any(axis=1))
        return self.only(there)

    def only(self, which: slice | Booleans) -> Orders:
        """Returns some of the orders."""
        return replace(self, seats=self.seats[which], counts=self.counts[which], rows=self.rows[which])

    def chunks(self) -> Iterator[Orders]:
        """Yields the orders, at most so many at a time that work on them takes little memory."""
        for first in range(0, len(self.seats), _MOST_ORDERS):
            yield self.only(slice(first, first + _MOST_ORDERS))


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
    all_orders, order_of_game = distinct_orders(games)
    strengths = most_probable(all_orders, size, virtual_games=virtual_games)
    if strengths is None:
        return None
    information = information_of_orders(all_orders, strengths, virtual_games=virtual_games)
    inverse: Floats = np.linalg.inv(information).astype(np.float64)
    if virtual_games == 0.0:
        inverse -= 1.0 / size
    scores = np.zeros((sum(len(orders.seats) for orders in all_orders), games.players))
    finishers = np.zeros(scores.shape, dtype=np.int32)
    for orders in all_orders:
        scores[orders.rows] = scores_of_choices(orders, np.exp(strengths))
        finishers[orders.rows] = orders.seats

    scale = scale_for(len(games.deals))

    def moves() -> Iterator[Floats]:
        # Row by row: from sums of products alone, what cancels in each row would leave its rounding.
        for part, own in games.chunks_with(order_of_game):
            cells = part.deal[:, None] * size + finishers[own]
            by_deal = np.bincount(cells.ravel(), weights=scores[own].ravel(), minlength=len(part.deals) * size)
            yield by_deal.reshape(len(part.deals), size) @ inverse * scale

    estimate = Estimate(
        entrants=games.entrants,
        values=strengths,
        influence=ByDeal(moves, deals=len(games.deals), entrants=size),
        deals=games.deals,
        deal_count=len(games.deals),
        met=games.met,
    )
    return Strengths(estimate=estimate, model_covariance=inverse, orders=tuple(all_orders))


def expected_choices(all_orders: Sequence[Orders], strengths: Floats) -> Floats:
    """Returns in how many choices each entrant should have been the one that was chosen, by these strengths."""
    odds = np.exp(strengths)
    expected: Floats = np.zeros(len(strengths))
    for orders in _in_chunks(all_orders):
        weighted = orders.counts[:, None] * (1.0 - scores_of_choices(orders, odds))
        expected += np.bincount(orders.seats.ravel(), weights=weighted.ravel(), minlength=len(strengths))
    return expected


def information_of_games(all_orders: Sequence[Orders], strengths: Floats) -> Floats:
    """Returns minus the second derivative of the log-likelihood without a prior, which has no inverse."""
    return information_of_orders(list(all_orders), strengths, virtual_games=0.0) - 1.0 / len(strengths)


def _in_chunks(all_orders: Iterable[Orders]) -> Iterator[Orders]:
    for orders in all_orders:
        yield from orders.chunks()


def distinct_orders(games: GroupGames) -> tuple[list[Orders], Integers]:
    """Returns the distinct orders by their pattern of ties, and the number of the order of each game."""
    size, players = len(games.entrants), games.players
    codes = 2 ** (players - 1) * size**players
    if codes < 2**62:
        code: Integers = np.empty(len(games.deal), dtype=np.int64)
        for first in range(0, len(code), _MOST_ORDERS):
            rows = slice(first, first + _MOST_ORDERS)
            finishers, ties = _finish(games, rows)
            code[rows] = ties * size**players + finishers @ size ** np.arange(players)
        found, order_of_game, counts = distinct(code, bound=codes)
        del code
        ties = found // size**players
        finishers = found[:, None] // size ** np.arange(players) % size
        order_of_game = order_of_game.astype(np.int32)
    else:  # a code would not fit into 64 bits: every game is its own order, which is slower and no less right
        finishers, ties = _finish(games, slice(None))
        order_of_game, counts = np.arange(len(ties), dtype=np.int32), np.ones(len(ties), dtype=np.int64)
    finishers = finishers.astype(np.int32)
    all_orders = []
    for pattern in np.unique(ties).tolist():
        rows_of = np.flatnonzero(ties == pattern)
        weights, chosen_from = _choices(pattern, players)
        seats, played = finishers[rows_of], counts[rows_of].astype(np.float64)
        all_orders.append(Orders(seats=seats, counts=played, rows=rows_of, weights=weights, chosen_from=chosen_from))
    return all_orders, order_of_game


def _finish(games: GroupGames, rows: slice) -> tuple[Integers, Integers]:
    """Returns the entrants of some games from first to last, and as bits which of them are tied with the next."""
    size = len(games.entrants)
    ranked = np.sort(games.places[rows].astype(np.int64) * size + games.seats[rows], axis=1)
    finishers, places = ranked % size, ranked // size
    return finishers, (places[:, 1:] == places[:, :-1]) @ (1 << np.arange(games.players - 1))


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


def _solver(matrix: Floats) -> Callable[[Floats], Floats]:
    return lambda right: np.linalg.solve(matrix, right).astype(np.float64, copy=False)


def most_probable(
    all_orders: list[Orders],
    size: int,
    *,
    virtual_games: float,
    runaway: float = _RUNAWAY,
    start: Floats | None = None,
    renewed_above: float = 0.0,
    solver: Callable[[Floats], Callable[[Floats], Floats]] = _solver,
) -> Floats | None:
    """Returns the strengths that are most probable given these orders; None when they grow beyond `runaway`.

    The search begins at `start`, and at 0 where that is left out: the nearer, the fewer its steps. After a step of at
    most `renewed_above` the information is not worked out anew: there are more steps, and each is cheaper. `solver`
    gives for a matrix what solves systems of equations with it.
    """
    strengths: Floats = np.zeros(size) if start is None else start
    height = _log_posterior(all_orders, strengths, virtual_games=virtual_games)
    solved: Callable[[Floats], Floats] | None = None
    for _ in range(_STEPS):
        slope = _slope(all_orders, strengths, virtual_games=virtual_games)
        if solved is None:
            solved = solver(information_of_orders(all_orders, strengths, virtual_games=virtual_games))
        step = solved(slope)
        step *= min(1.0, _LONGEST_STEP / max(float(np.abs(step).max()), _PRECISION))
        reached = _log_posterior(all_orders, strengths + step, virtual_games=virtual_games)
        while reached < height - 1e-9 * abs(height):
            step = step / 2.0
            reached = _log_posterior(all_orders, strengths + step, virtual_games=virtual_games)
        strengths, height = strengths + step, reached
        if virtual_games == 0.0 and float(np.abs(strengths).max()) > runaway:
            return None
        longest = float(np.abs(step).max())
        if longest < _PRECISION:
            return strengths
        if longest > renewed_above:
            solved = None
    return None


def _log_posterior(all_orders: list[Orders], strengths: Floats, *, virtual_games: float) -> float:
    odds = np.exp(strengths)
    total = virtual_games * float((strengths / 2.0 - np.log1p(odds)).sum())
    for orders in _in_chunks(all_orders):
        chosen = np.log(odds[orders.seats] @ orders.chosen_from.T) @ orders.weights
        total += float(orders.counts @ (strengths[orders.seats].sum(axis=1) - chosen))
    return total


def scores_of_choices(orders: Orders, odds: Floats) -> Floats:
    """Returns the first derivatives of each order by the strengths of its seats, shape (orders, players)."""
    own = odds[orders.seats]
    shares = (orders.weights / (own @ orders.chosen_from.T)) @ orders.chosen_from
    scores: Floats = 1.0 - own * shares
    return scores


def _slope(all_orders: list[Orders], strengths: Floats, *, virtual_games: float) -> Floats:
    odds = np.exp(strengths)
    slope = virtual_games * (0.5 - odds / (1.0 + odds))
    for orders in _in_chunks(all_orders):
        weighted = orders.counts[:, None] * scores_of_choices(orders, odds)
        slope += np.bincount(orders.seats.ravel(), weights=weighted.ravel(), minlength=len(strengths))
    return slope


def information_of_orders(all_orders: list[Orders], strengths: Floats, *, virtual_games: float) -> Floats:
    """Returns minus the second derivative; without a prior its flat direction is filled, so that it has an inverse."""
    size = len(strengths)
    odds = np.exp(strengths)
    information: Floats = np.zeros((size, size))
    for orders in _in_chunks(all_orders):
        players = orders.seats.shape[1]
        own = odds[orders.seats]
        squares = orders.counts[:, None] * orders.weights / (own @ orders.chosen_from.T) ** 2
        together = (orders.chosen_from[:, :, None] * orders.chosen_from[:, None, :]).reshape(-1, players * players)
        products = (squares @ together).reshape(-1, players, players) * own[:, :, None] * own[:, None, :]
        seats = orders.seats.astype(np.int64)
        cells = seats[:, :, None] * size + seats[:, None, :]
        sums = np.bincount(cells.ravel(), weights=products.ravel(), minlength=size * size)
        information -= sums.reshape(size, size)
    np.fill_diagonal(information, 0.0)
    np.fill_diagonal(information, -information.sum(axis=1) + virtual_games * odds / (1.0 + odds) ** 2)
    if virtual_games == 0.0:
        information += 1.0 / size
    return information
