"""Numbers to plan with: how exact will so many deals be, and which difference can be told from them.

Before play little is known of the bots. Equal bots and games that do not help each other are assumed, and what a
probe saw of them corrects that. After play the measured errors speak.
Source: `docs/statistics.md`.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

import numpy as np

from tournament.ranking.arrays import group_games
from tournament.ranking.distributions import normal_quantile, student_quantile
from tournament.ranking.estimates import scale_for
from tournament.ranking.intervals import FEWEST_DEALS, LEVEL, bonferroni_critical
from tournament.ranking.placement import placement_points
from tournament.records.results import GameResult

ASSUMED_DEALS: Final = 10
"""What is assumed of the bots counts as much as so many deals of one of them."""


class ExpectedPoints(NamedTuple):
    """What an entrant is expected to bring into the standings."""

    deals: int
    """How many it will sit in."""

    variance: float
    """Of its points, each the mean of a deal."""

    @property
    def half_width(self) -> float | None:
        """Half of the 95 % interval of its points; None under 10 deals."""
        if self.deals < FEWEST_DEALS:
            return None
        return student_quantile(0.5 + LEVEL / 2, self.deals - 1) * math.sqrt(self.variance / self.deals)


def points_variance(players: int) -> float:
    """Returns the variance of placement points in one game of equal bots without ties: (k + 1) / (12 (k - 1))."""
    return (players + 1) / (12.0 * (players - 1))


def seen_variance(results: Sequence[GameResult], entrants: Collection[str], *, players: int) -> float:
    """Returns the variance of the points of such entrants, each the mean of a deal, from some results of a group.

    Each varies around its own mean; together, and with what is assumed of equal bots, they give a usable figure
    even from a few deals.
    """
    points = placement_points(group_games(results))
    numbers = [number for number, name in enumerate(points.entrants) if name in entrants]
    met = points.met[numbers]
    # An influence is a deal's distance from the mean, as a share of all deals of the entrant.
    distances = points.influence[:, numbers] / scale_for(points.deal_count) * met
    squares = float(np.square(distances).sum())
    assumed = points_variance(players) / players
    return (ASSUMED_DEALS * assumed + squares) / (ASSUMED_DEALS + int((met - 1).sum()))


def difference_to_tell(
    first: ExpectedPoints, second: ExpectedPoints, *, together: float, players: int, entrants: int, power: float = 0.8
) -> float | None:
    """Returns the least true difference in points that is claimed with this probability; None where none is.

    `together` is the number of deals in which the two meet. All pairs of `entrants` are tested at once, as in the
    standings.
    """
    least = min(first.deals, second.deals)
    if least < FEWEST_DEALS:
        return None
    # At a table all points together are always as many, so that two at it take them from each other.
    covariance = -math.sqrt(first.variance * second.variance) / (players - 1)
    shared = covariance * together / (first.deals * second.deals)
    error = math.sqrt(first.variance / first.deals + second.variance / second.deals - 2 * shared)
    critical = bonferroni_critical(entrants * (entrants - 1) // 2, degrees=least - 1)
    difference = (critical + normal_quantile(power)) * error
    return difference if difference < 1.0 else None
