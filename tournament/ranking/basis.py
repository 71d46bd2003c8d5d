"""What a ranking rests on: points where all met the same opponents, strengths where they did not.

The schedule alone decides which, for a whole group at once, and for the championship over its groups: one number an
entrant over several games, with fixed weights and errors that add with squared weights. Strengths come from a fit
without a prior, which compares only entrants that wins and ties join both ways; two others are compared by the
tables they shared. Source: `docs/statistics.md`.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Final

import numpy as np

from tournament.errors import UsageError
from tournament.ranking.claims import make_claims
from tournament.ranking.compact.by_deal import ByDeal, Floats, Names, joined, side_by_side
from tournament.ranking.compact.differences import fit_differences
from tournament.ranking.group_games import (
    GroupGames,
    ResultGraph,
    in_every,
    met_equally,
    pair_met_equally,
    result_graph,
    shared_games,
)
from tournament.ranking.points import FEWEST_DEALS, Bounds, Estimate, bonferroni_critical, is_claimed, placement_points
from tournament.ranking.strengths import (
    RATING_OF_ZERO,
    RATING_PER_STRENGTH,
    Strengths,
    fit_strengths,
    ratings,
)
from tournament.records.figures import Basis
from tournament.records.standings import Claims, Method

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
    """By game without a counted result: the share it was to have, which went to the other games."""

    absent: dict[str, tuple[str, ...]]
    """By entrant that is listed but not ranked: the groups in which it has no whole block."""


def combine_games(
    groups: Mapping[str, Mapping[str, Estimate]], *, weights: Mapping[str, float] | None = None
) -> Championship:
    """Returns the championship: the sum over games of weight * mean of the points in the game's groups.

    `groups` has the placement points by game and group; only entrants with points in every group are ranked. `weights`
    are by game and scaled to sum 1 over the games of `groups`, since other games have no counted result; left out, all
    games weigh the same. Raises `UsageError` when the weights are not one positive number for each game.
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

    The counts of deals are those of the part with the fewest: the cautious choice. Values are rounded, so that equal
    sums are equal in whatever order they were added.
    """
    estimates = [estimate for estimate, _ in parts]
    return Estimate(
        entrants=estimates[0].entrants,
        values=np.round(np.sum([share * estimate.values for estimate, share in parts], axis=0), _SUM_DECIMALS),
        influence=joined([estimate.influence.scaled(share) for estimate, share in parts]),
        deals=Names(np.concatenate([Names.of(estimate.deals).encoded for estimate in estimates])),
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


ENOUGH_SHARED: Final = 30
"""So many deals at one table, and two entrants that met different opponents are compared on these tables alone."""

_RATING_PER_POINT: Final = 4.0 * RATING_PER_STRENGTH
"""What a whole point more is worth between equals, and more elsewhere: no difference is surer than one of points."""

_RATING_DECIMALS = 6  # of ratings: coarser than rounding, so that equal entrants come out equal


@dataclass(frozen=True, eq=False, kw_only=True)
class Scale:
    """The number by which entrants are ranked, and which of them it compares."""

    basis: Basis
    estimate: Estimate
    classes: tuple[tuple[str, ...], ...]
    """Entrants whose differences the estimate gives; differences between two classes mean nothing."""

    parts: tuple[tuple[str, ...], ...]
    """Entrants that are ranked together; a part is made of whole classes."""

    claims: Claims | None

    def compares(self, entrant: str, opponent: str) -> bool:
        """Returns whether the estimate says how far two entrants are apart."""
        return any(entrant in members and opponent in members for members in self.classes)


@dataclass(frozen=True, eq=False, kw_only=True)
class GroupScores:
    """The games of a group and the numbers that can rank its entrants; each is worked out when first asked for."""

    games: GroupGames

    @cached_property
    def points(self) -> Estimate:
        """Placement points."""
        return placement_points(self.games)

    @cached_property
    def equal(self) -> bool:
        """Whether all met the same opponents, so that points compare them."""
        return met_equally(self.games)

    @cached_property
    def graph(self) -> ResultGraph:
        """Who is joined with whom by wins and ties."""
        return result_graph(self.games)

    @cached_property
    def with_prior(self) -> Strengths | None:
        """Strengths with a mild prior: every entrant has one, and nothing is claimed from them."""
        return fit_strengths(self.games)

    @cached_property
    def ratings(self) -> Estimate | None:
        """Strengths with a mild prior, as ratings."""
        return None if self.with_prior is None else ratings(self.with_prior)

    @cached_property
    def strengths(self) -> Estimate:
        """Ratings without a prior, class by class; each class lies at the mean of its ratings with a prior.

        An entrant that is alone in its class has its rating with a prior, and nothing is known of its error.
        """
        names, games = self.games.entrants, self.games
        start = self.ratings
        values: Floats = np.full(len(names), RATING_OF_ZERO) if start is None else start.values.copy()
        placed: list[tuple[ByDeal, list[int]]] = []
        met = games.met.copy()
        for members in self.classes:
            fitted = self._fits[members]
            if fitted is not None:
                columns = [names.index(name) for name in fitted.entrants]
                values[columns] = values[columns].mean() + RATING_PER_STRENGTH * fitted.values
                placed.append((fitted.influence.scaled(RATING_PER_STRENGTH), columns))
                met[columns] = fitted.met
        return Estimate(
            entrants=names,
            values=np.round(values, _RATING_DECIMALS),
            influence=side_by_side(placed, deals=len(games.deals), entrants=len(names)),
            deals=games.deals,
            deal_count=len(games.deals),
            met=met,
            unit=_RATING_PER_POINT,
        )

    @cached_property
    def classes(self) -> tuple[tuple[str, ...], ...]:
        """Entrants whose strengths were fitted together."""
        return tuple(self._fits)

    @cached_property
    def _fits(self) -> dict[tuple[str, ...], Estimate | None]:
        fits: dict[tuple[str, ...], Estimate | None] = {}
        for members in self.graph.classes:
            fitted = fit_differences(self.games, members) if len(members) > 1 else None
            if fitted is None:
                fits |= {(name,): None for name in members}
            else:
                fits[members] = fitted
        return fits

    def shared(self, entrant: str, opponent: str) -> Estimate | None:
        """Returns the points of two entrants at the tables they shared; None without any."""
        together = shared_games(self.games, entrant, opponent)
        return None if together is None else placement_points(together).only((entrant, opponent))


def group_scale(scores: GroupScores, *, without: Collection[str] = ()) -> Scale:
    """Returns what ranks the entrants of one group; entrants in `without` played few games and are not ranked."""
    if scores.equal:
        return points_scale(scores.points, without=without)
    return ratings_scale([(scores, 1.0)], without=without)


def points_scale(points: Estimate, *, without: Collection[str] = ()) -> Scale:
    """Returns the ranking by points of entrants that met the same opponents."""
    points = points.only(_ranked(points.entrants, without))
    everybody = (points.entrants,)
    return Scale(basis=Basis.POINTS, estimate=points, classes=everybody, parts=everybody, claims=make_claims(points))


def _ranked(names: tuple[str, ...], without: Collection[str]) -> tuple[str, ...]:
    """Returns who is ranked: those not in `without`, or everybody where nobody would be left."""
    return tuple(name for name in names if name not in without) or names


def ratings_scale(weighted: Sequence[tuple[GroupScores, float]], *, without: Collection[str] = ()) -> Scale:
    """Returns the ranking by strength, summed over groups with weights, of the entrants that play every group."""
    everywhere = tuple(sorted(set.intersection(*(set(scores.games.entrants) for scores, _ in weighted))))
    names = _ranked(everywhere, without)
    estimate = combined([(scores.strengths.only(names), weight) for scores, weight in weighted])
    classes = in_every([scores.classes for scores, _ in weighted], names)
    return Scale(
        basis=Basis.RATINGS,
        estimate=estimate,
        classes=classes,
        parts=in_every([scores.graph.parts for scores, _ in weighted], names),
        claims=_ratings_claims(estimate, classes, weighted),
    )


def _ratings_claims(
    estimate: Estimate, classes: Sequence[tuple[str, ...]], weighted: Sequence[tuple[GroupScores, float]]
) -> Claims | None:
    """Returns what may be claimed of a ranking by strength.

    Two entrants of different classes are compared by the tables at which both sat, and by nothing else.
    """
    tested = [name for name, met in zip(estimate.entrants, estimate.met.tolist(), strict=True) if met >= FEWEST_DEALS]
    if len(tested) < 2:
        return None
    if any(set(tested) <= set(members) for members in classes):
        return make_claims(estimate)
    comparisons = math.comb(len(tested), 2)
    number = {name: at for at, members in enumerate(classes) for name in members}
    pairs, deals = [], [FEWEST_DEALS]
    for first, second in combinations(tested, 2):
        own = estimate if number[first] == number[second] else shared_points(weighted, first, second)
        if own is None:
            continue
        figure = own.difference(first, second).figure
        if figure.error is None:
            continue
        deals.append(figure.deals)
        if is_claimed(figure, comparisons=comparisons):
            pairs.append((first, second) if figure.value > 0 else (second, first))
    return Claims(
        method=Method.BONFERRONI,
        critical=bonferroni_critical(comparisons, degrees=max(deals) - 1),
        pairs=tuple(sorted(pairs, key=lambda pair: (tested.index(pair[0]), tested.index(pair[1])))),
    )


def shared_points(
    weighted: Sequence[tuple[GroupScores, float]], entrant: str, opponent: str, *, all_if_equal: bool = False
) -> Estimate | None:
    """Returns the weighted points of two entrants at the tables they shared in each group; None where a group has none.

    With `all_if_equal`, a group in which all entrants, or these two, met the same opponents counts with all its tables.
    """
    parts = []
    for scores, weight in weighted:
        of_group = (
            scores.points.only((entrant, opponent))
            if all_if_equal and (scores.equal or pair_met_equally(scores.games, entrant, opponent))
            else scores.shared(entrant, opponent)
        )
        if of_group is None:
            return None
        parts.append((of_group, weight))
    return combined(parts)


def combined(parts: Sequence[tuple[Estimate, float]]) -> Estimate:
    """Returns the weighted sum of estimates of the same entrants; a single estimate, with weight 1, as it is."""
    return parts[0][0] if len(parts) == 1 else weighted_sum(parts)
