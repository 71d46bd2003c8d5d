"""Differences of strength among some entrants of a group, with the errors of leaving out one deal after the other."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from tournament.ranking.compact.by_deal import ByDeal, Floats, Sums
from tournament.ranking.group_games import Booleans, GroupGames, Integers
from tournament.ranking.points import Estimate, scale_for
from tournament.ranking.strengths import (
    Orders,
    distinct_orders,
    information_of_orders,
    most_probable,
    scores_of_choices,
)

_RIDGE: Final = 1e-6
"""Where one deal alone joins two sides, the step without it is endless: so it is very long."""


def fit_differences(games: GroupGames, members: Sequence[str]) -> Estimate | None:
    """Returns the strengths of some entrants by the games among them alone, without a prior; their mean is 0.

    Errors come from leaving out one deal after the other, with one Newton step each: they count how far a deal pulled
    the fit itself, which sandwich errors leave out. The rows of the influence are all deals of the group. `met` counts
    the deals in which a member sat with another one. The `members` have to be strongly connected by wins and ties; None
    when the search does not end. Cost: that of a fit, and for each deal a system of equations of the size of a table.
    """
    entrants = tuple(sorted(members))
    size, tables = len(entrants), _tables_among(games, entrants)
    all_orders = [distinct_orders(table) for table in tables]
    fitted = [orders for found, _ in all_orders for orders in found]
    strengths = most_probable(fitted, size, virtual_games=0.0, runaway=math.inf)
    if strengths is None:
        return None
    inverse: Floats = (
        np.linalg.inv(information_of_orders(fitted, strengths, virtual_games=0.0)).astype(np.float64) - 1.0 / size
    )
    slopes = _SlopesByDeal(tables, all_orders, np.exp(strengths), entrants)
    sat_in: Integers = np.zeros(size, dtype=np.int64)
    informative = 0
    for sat, _ in slopes.chunks(games):
        sat_in += sat.sum(axis=0)
        informative += int(sat.any(axis=1).sum())

    def steps() -> Iterator[Floats]:
        for sat, own in slopes.chunks(games):
            rows: Floats = np.zeros(sat.shape)
            for count in range(2, int(sat.sum(axis=1).max(initial=0)) + 1):
                deals = np.flatnonzero(sat.sum(axis=1) == count)
                if len(deals):
                    rows[deals] = _steps_without(deals, sat, own, inverse)
            yield rows

    raw = ByDeal(steps, deals=len(games.deals), entrants=size)
    scale = scale_for(informative)
    if raw.array is not None:
        used = np.concatenate([sat.any(axis=1) for sat, _ in slopes.chunks(games)])
        raw.array[used] -= raw.array[used].mean(axis=0)
        influence = ByDeal.of(raw.array / scale)
    else:
        mean = raw.sums.totals / informative

        def centred() -> Iterator[Floats]:
            for rows, (sat, _) in zip(steps(), slopes.chunks(games), strict=True):
                yield (rows - mean * np.asarray(sat.any(axis=1))[:, None]) / scale

        def sums() -> Sums:
            products = raw.products - informative * np.outer(mean, mean)
            return Sums(products / scale**2, np.zeros(size))

        influence = ByDeal(centred, deals=len(games.deals), entrants=size, sums=sums)
    return Estimate(
        entrants=entrants,
        values=strengths - strengths.mean(),
        influence=influence,
        deals=games.deals,
        deal_count=informative,
        met=sat_in,
    )


class _SlopesByDeal:
    """How the games among some entrants pull on their strengths, chunk of deals by chunk of deals."""

    def __init__(
        self,
        tables: Sequence[GroupGames],
        all_orders: Sequence[tuple[list[Orders], Integers]],
        odds: Floats,
        entrants: tuple[str, ...],
    ) -> None:
        self._tables = tables
        self._all_orders = all_orders
        self._odds = odds
        self._size = len(entrants)

    def chunks(self, games: GroupGames) -> Iterator[tuple[Booleans, list[_DealSlopes]]]:
        """Yields for each chunk of the deals of a group who sat in each deal, and the slopes of their games."""
        for first, last in games.chunk_bounds:
            slopes = [
                self._slopes(table, found, order_of_game, first, last)
                for table, (found, order_of_game) in zip(self._tables, self._all_orders, strict=True)
            ]
            sat: Booleans = np.zeros((last - first, self._size), dtype=np.bool_)
            sat.ravel()[np.concatenate([one.cells.ravel() for one in slopes])] = True
            yield sat, slopes

    def _slopes(
        self, table: GroupGames, found: Sequence[Orders], order_of_game: Integers, first: int, last: int
    ) -> _DealSlopes:
        games = np.flatnonzero((table.deal >= first) & (table.deal < last))
        numbers, order = np.unique(order_of_game[games], return_inverse=True)
        place = np.full(sum(len(orders.rows) for orders in found), -1, dtype=np.int64)
        place[numbers] = np.arange(len(numbers))
        players = table.players
        finishers = np.zeros((len(numbers), players), dtype=np.int64)
        slope, bend = np.zeros((len(numbers), players)), np.zeros((len(numbers), players, players))
        for orders in found:
            own = orders.only(place[orders.rows] >= 0)
            at = place[own.rows]
            finishers[at] = own.seats
            slope[at] = scores_of_choices(own, self._odds)
            bend[at] = informations_by_order(own, self._odds)
        cells = (table.deal[games].astype(np.int64) - first)[:, None] * self._size + finishers[order]
        return _DealSlopes(cells, slope[order], bend[order])


def _tables_among(games: GroupGames, entrants: tuple[str, ...]) -> list[GroupGames]:
    """Returns the games cut down to some entrants, by how many of them sat in a game: two or more.

    A game says of their order what the same choices among fewer would say: the strengths of the others drop out.
    """
    number = np.full(len(games.entrants), -1, dtype=np.int32)
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


def informations_by_order(orders: Orders, odds: Floats) -> Floats:
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
