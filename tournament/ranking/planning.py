"""Numbers to plan with: how exact will so many blocks be, how many blocks does a difference need.

Before play nothing is known of the bots, so equal bots and games that do not help each other are assumed:
rotated deals usually do a little better. After play the measured errors speak.
Source: `statistics.md`, "Numbers per game and player count" and "Claims".
"""

from __future__ import annotations

import math

from tournament.ranking.distributions import normal_quantile, student_quantile
from tournament.ranking.estimates import FEWEST_DEALS, LEVEL


def points_variance(players: int) -> float:
    """Returns the variance of placement points in one game of equal bots without ties: (k + 1) / (12 (k - 1))."""
    return (players + 1) / (12.0 * (players - 1))


def expected_half_width(*, entrants: int, players: int, blocks: int) -> float | None:
    """Returns the half-width of the 95 % interval of an entrant's points to expect; None under 10 deals each."""
    deals_each = blocks * players // entrants
    if deals_each < FEWEST_DEALS:
        return None
    error = math.sqrt(points_variance(players) / (deals_each * players))
    return student_quantile(0.5 + LEVEL / 2, deals_each - 1) * error


def blocks_to_tell(difference: float, *, entrants: int, players: int, power: float = 0.8) -> int | None:
    """Returns the blocks after which a true difference in points is claimed with this probability; None for none.

    All pairs are tested at once, as in the standings. Appearances are assumed equal.
    """
    if difference == 0.0 or entrants < 2:
        return None
    pairs = entrants * (entrants - 1) / 2
    critical = normal_quantile(1.0 - (1.0 - LEVEL) / (2.0 * pairs))
    # Two entrants take points from each other in a share of their games: n / (n - 1) is what that adds.
    variance_per_game = 2.0 * points_variance(players) * entrants / (entrants - 1)
    games_each = variance_per_game * ((critical + normal_quantile(power)) / difference) ** 2
    blocks = math.ceil(games_each * entrants / players**2)
    return max(blocks, math.ceil(FEWEST_DEALS * entrants / players))


def more_deals_to_claim(difference: float, *, error: float, critical: float, deals: int) -> int | None:
    """Returns about how many more deals would make this difference a claim if it stays as it is; None if it is 0.

    Errors shrink with the root of the deals. If the difference is real, it is an even chance.
    """
    if difference == 0.0:
        return None
    needed = math.ceil(deals * (critical * error / difference) ** 2)
    return max(needed + 1 - deals, 0) if abs(difference) <= critical * error else 0
