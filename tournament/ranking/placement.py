"""Placement points, win share and margin: means over an entrant's appearances, with errors clustered by deal.

Source: `docs/statistics.md`.
"""

from __future__ import annotations

import math

import numpy as np

from tournament.ranking.arrays import GroupGames
from tournament.ranking.estimates import Estimate, mean_estimate
from tournament.ranking.intervals import SHARE


def placement_points(games: GroupGames) -> Estimate:
    """Returns the placement points of each entrant, from 0 (always last) to 1 (always first)."""
    return mean_estimate(games, games.half_points, denominator=2 * max(games.players - 1, 1), bounds=SHARE)


def win_share(games: GroupGames) -> Estimate:
    """Returns the share of wins: 1 / m for an m-way first place, nothing for a forfeited seat."""
    parts = math.lcm(*range(1, games.players + 1))
    first = (games.places == 1) & ~games.forfeited
    winners = np.maximum(first.sum(axis=1), 1)
    return mean_estimate(games, first * (parts // winners)[:, None], denominator=parts, bounds=SHARE)


def mean_margin(games: GroupGames) -> Estimate:
    """Returns the mean of score minus the mean score of the table, in points of the game."""
    margins = games.scores * games.players - games.scores.sum(axis=1, keepdims=True)
    return mean_estimate(games, margins, denominator=games.players)
