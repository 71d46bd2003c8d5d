"""The championship: one number an entrant over several games, fixed weights, errors that add with squared weights.

Source: `docs/statistics.md`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tournament.errors import UsageError
from tournament.ranking.estimates import Estimate
from tournament.ranking.intervals import Bounds

_SUM_DECIMALS = 12
"""Far coarser than rounding, far finer than what sets any two points apart that are not equal."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Championship:
    """The combined placement points, and who is not in them."""

    estimate: Estimate | None
    """None when nobody played everything."""

    weights: dict[str, float]
    """By game, with sum 1."""

    by_group: dict[str, float]
    """The weight of each group, with sum 1."""

    uncounted: dict[str, float]
    """By game without a counted result: the share it should have had, which went to the others."""

    absent: dict[str, tuple[str, ...]]
    """By entrant that is listed and not ranked: the groups it has no whole block in."""


def combine_games(
    groups: Mapping[str, Mapping[str, Estimate]], *, weights: Mapping[str, float] | None = None
) -> Championship:
    """Returns P = sum over games of w * mean over the game's groups, for entrants that have a number in every group.

    `groups`: by game, by group, the placement points. `weights`: by game; scaled to sum 1 over the games of
    `groups`, for others have no counted result; equal when left out. Raises `UsageError` when the weights are not one
    positive number for each game.
    """
    shares = _shares(sorted(groups), weights)
    parts = [
        (group, estimate, shares[game] / len(groups[game]))
        for game in sorted(groups)
        for group, estimate in sorted(groups[game].items())
    ]
    names = sorted({entrant for _, estimate, _ in parts for entrant in estimate.entrants})
    absent = {
        name: missing
        for name in names
        if (missing := tuple(group for group, estimate, _ in parts if name not in estimate.entrants))
    }
    ranked = tuple(name for name in names if name not in absent)
    estimate = None
    if ranked:
        estimate = weighted_sum([(estimate.only(ranked), share) for _, estimate, share in parts])
    given = {} if weights is None else weights
    uncounted = {game: given[game] / sum(given.values()) for game in sorted(given) if game not in groups}
    by_group = {group: share for group, _, share in parts}
    return Championship(estimate=estimate, weights=shares, by_group=by_group, uncounted=uncounted, absent=absent)


def weighted_sum(parts: Sequence[tuple[Estimate, float]]) -> Estimate:
    """Returns the weighted sum of estimates of the same entrants from different deals.

    Counts of deals are those of the part with the fewest: the cautious choice. Values are rounded, so that equal sums
    are equal in whatever order they were added.
    """
    estimates = [estimate for estimate, _ in parts]
    return Estimate(
        entrants=estimates[0].entrants,
        values=np.round(np.sum([share * estimate.values for estimate, share in parts], axis=0), _SUM_DECIMALS),
        influence=np.concatenate([share * estimate.influence for estimate, share in parts]),
        deals=tuple(deal for estimate in estimates for deal in estimate.deals),
        deal_count=min(estimate.deal_count for estimate in estimates),
        met=np.min([estimate.met for estimate in estimates], axis=0),
        bounds=_weighted_bounds(parts),
        unit=sum(share * estimate.unit for estimate, share in parts),
    )


def _weighted_bounds(parts: Sequence[tuple[Estimate, float]]) -> Bounds | None:
    known = [(estimate.bounds, share) for estimate, share in parts if estimate.bounds is not None]
    if len(known) < len(parts):
        return None
    return sum(share * low for (low, _), share in known), sum(share * high for (_, high), share in known)


def _shares(games: Sequence[str], weights: Mapping[str, float] | None) -> dict[str, float]:
    if weights is None:
        return {game: 1.0 / len(games) for game in games}
    if any(not (math.isfinite(weights.get(game, 0.0)) and weights.get(game, 0.0) > 0.0) for game in games):
        raise UsageError(
            f"The championship needs one weight above 0 for each of {', '.join(games)}; "
            f"found {dict(weights)}. Give a weight for each game that was played."
        )
    total = sum(weights[game] for game in games)
    return {game: weights[game] / total for game in games}
