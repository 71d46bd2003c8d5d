"""What a seat is worth, and what playing every hand from every seat has saved.

Source: `docs/statistics.md`.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from tournament.ranking.arrays import Floats, GroupGames, Integers, distinct
from tournament.ranking.intervals import FEWEST_DEALS, SHARE, bonferroni_critical, difference_figure
from tournament.ranking.placement import placement_points
from tournament.records.standings import EntrantSeat, SeatFigure


def seat_figures(games: GroupGames) -> tuple[SeatFigure, ...]:
    """Returns what each seat is worth in placement points, with errors clustered by deal."""
    names = tuple(str(seat) for seat in range(games.players))
    seats = np.broadcast_to(np.arange(games.players, dtype=np.int64), games.seats.shape)
    points = placement_points(replace(games, entrants=names, seats=seats))
    effects = replace(
        points,
        values=points.values - points.values.mean(),
        influence=points.influence - points.influence.mean(axis=1, keepdims=True),
    )
    figures = []
    for seat, name in enumerate(names):
        effect = difference_figure(
            float(effects.values[seat]),
            error=math.sqrt(float(effects.covariance[seat, seat])),
            deals=int(effects.met[seat]),
            bounds=SHARE,
        )
        claimed = False
        if effect.error is not None:
            critical = bonferroni_critical(games.players, degrees=effect.deals - 1)
            claimed = abs(effect.value) > max(critical * effect.error, 1e-9)
        figures.append(SeatFigure(seat=seat, points=points.figure(name), effect=effect, claimed=claimed))
    return tuple(figures)


def entrants_by_seat(games: GroupGames) -> tuple[EntrantSeat, ...]:
    """Returns the mean placement points of each entrant in each seat, by name and seat."""
    size, players = len(games.entrants), games.players
    cells = (games.seats * players + np.arange(players)).ravel()
    counts = np.bincount(cells, minlength=size * players).tolist()
    halves = np.bincount(cells, weights=games.half_points.ravel(), minlength=size * players).tolist()
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

    It is also the share of games saved: the same errors from as many games with a deal each would have needed
    games / (1 - share). Negative where the rotations of a deal rather repeat each other. Compared are games of
    the same table, whose bots are no matter of luck; tables with a single deal say nothing. Cost: a sort.
    """
    order = np.argsort(games.seats, axis=1)
    halves = np.take_along_axis(games.half_points, order, axis=1).astype(np.float64)
    tables, table = _tables(np.take_along_axis(games.seats, order, axis=1), size=len(games.entrants))
    blocks, block, _ = distinct(table * len(games.deals) + games.deal, bound=tables * len(games.deals))
    table_of_block = blocks // len(games.deals)
    games_at, deals_at = np.bincount(table), np.bincount(table_of_block)
    told = deals_at > 1
    if int(deals_at[told].sum()) < FEWEST_DEALS:
        return None
    residuals = halves - (_sums(halves, table) / games_at[:, None])[table]
    apart = (_squared_differences(residuals) * (told / _less_one(games_at))[table]).sum()
    together = (_squared_differences(_sums(residuals, block)) * (told / _less_one(deals_at))[table_of_block]).sum()
    return 1.0 - float(together) / float(apart) if apart > 0.0 else None


def _tables(seated: Integers, *, size: int) -> tuple[int, Integers]:
    """Returns how many different tables there are, and the number of that of each game."""
    number = np.zeros(len(seated), dtype=np.int64)
    bound = 1
    for entrants in seated.T:
        found, number, _ = distinct(number * size + entrants, bound=bound * size)
        bound = len(found)
    return bound, number


def _sums(values: Floats, number: Integers) -> Floats:
    """Returns the sums of the rows with the same number."""
    columns = [np.bincount(number, weights=values[:, column]) for column in range(values.shape[1])]
    return np.stack(columns, axis=1)


def _squared_differences(values: Floats) -> Floats:
    """Returns for each row the sum of the squared differences of all pairs."""
    sums: Floats = values.shape[1] * (values**2).sum(axis=1) - values.sum(axis=1) ** 2
    return sums


def _less_one(counts: Integers) -> Floats:
    """Returns (n - 1) / n, the inverse of the small-sample factor; 1 where n is 1, which is not used."""
    factors: Floats = np.where(counts > 1, (counts - 1) / counts, 1.0)
    return factors
