"""What a seat is worth, and what playing every hand from every seat has saved.

Source: `statistics.md`, "Numbers per game and player count" and its first paragraph.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tournament.ranking.arrays import GroupGames
from tournament.ranking.claims import bonferroni_critical
from tournament.ranking.estimates import FEWEST_DEALS
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
        effect = effects.figure(name)
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

    It is also the share of games saved: the same errors from as many games with a deal each would have
    needed games / (1 - share). Negative where the rotations of a deal rather repeat each other.
    """
    if len(games.deals) < FEWEST_DEALS:
        return None
    apart = float((placement_points(games.games_apart()).difference_errors ** 2).sum())
    together = float((placement_points(games).difference_errors ** 2).sum())
    return 1.0 - together / apart if apart > 0.0 else None
