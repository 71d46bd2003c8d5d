"""What a ranking rests on: points where all met the same opponents, strengths where they did not.

The schedule alone decides which, for a whole group at once, and for the championship over its groups. Strengths come
from a fit without a prior, which compares only entrants that wins and ties join both ways; of two others the tables
are looked at that they shared. Source: `docs/statistics.md`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Final

import numpy as np

from tournament.ranking.arrays import Floats, GroupGames
from tournament.ranking.championship import weighted_sum
from tournament.ranking.claims import make_claims
from tournament.ranking.connection import ResultGraph, connection_of, in_every
from tournament.ranking.estimates import Estimate
from tournament.ranking.intervals import FEWEST_DEALS, bonferroni_critical
from tournament.ranking.opposition import met_equally, pair_met_equally, shared_games
from tournament.ranking.placement import placement_points
from tournament.ranking.plackett_luce import (
    RATING_OF_ZERO,
    RATING_PER_STRENGTH,
    Strengths,
    fit_differences,
    fit_strengths,
    ratings,
)
from tournament.records.basis import Basis
from tournament.records.standings import Claims, Method

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
    """Entrants whose differences the estimate gives; differences between classes mean nothing."""

    parts: tuple[tuple[str, ...], ...]
    """Entrants that are ranked together; a part is made of whole classes."""

    claims: Claims | None

    def compares(self, entrant: str, opponent: str) -> bool:
        """Returns whether the estimate says how far two entrants are apart."""
        return any(entrant in members and opponent in members for members in self.classes)


@dataclass(frozen=True, eq=False, kw_only=True)
class GroupScores:
    """The games of a group with what ranks its entrants; each is worked out when it is first asked for."""

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
    def connection(self) -> ResultGraph:
        """Who is joined with whom by wins and ties."""
        return connection_of(self.games)

    @cached_property
    def with_prior(self) -> Strengths | None:
        """Strengths with a mild prior: everybody has one, and nothing is claimed from them."""
        return fit_strengths(self.games)

    @cached_property
    def ratings(self) -> Estimate | None:
        """Strengths with a mild prior, as ratings."""
        return None if self.with_prior is None else ratings(self.with_prior)

    @cached_property
    def strengths(self) -> Estimate:
        """Ratings without a prior, class by class, each class at the mean rating that it has with one.

        An entrant alone in its class has the rating with a prior, and nothing is known of its error.
        """
        names, games = self.games.entrants, self.games
        start = self.ratings
        values: Floats = np.full(len(names), RATING_OF_ZERO) if start is None else start.values.copy()
        influence = np.zeros((len(games.deals), len(names)))
        met = np.count_nonzero(games.appearances, axis=0)
        for members in self.classes:
            fitted = self._fits[members]
            if fitted is not None:
                columns = [names.index(name) for name in fitted.entrants]
                values[columns] = values[columns].mean() + RATING_PER_STRENGTH * fitted.values
                influence[:, columns] = RATING_PER_STRENGTH * fitted.influence
                met[columns] = fitted.met
        return Estimate(
            entrants=names,
            values=np.round(values, _RATING_DECIMALS),
            influence=influence,
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
        for members in self.connection.classes:
            fitted = fit_differences(self.games, members) if len(members) > 1 else None
            if fitted is None:
                fits |= {(name,): None for name in members}
            else:
                fits[members] = fitted
        return fits

    def shared(self, entrant: str, opponent: str) -> Estimate | None:
        """Returns the points of two entrants at the tables that they shared; None without any."""
        together = shared_games(self.games, entrant, opponent)
        return None if together is None else placement_points(together).only((entrant, opponent))


def group_scale(scores: GroupScores, *, without: Collection[str] = ()) -> Scale:
    """Returns what ranks the entrants of one group; `without`: who is not ranked, because its games were few."""
    if scores.equal:
        return points_scale(scores.points, without=without)
    return ratings_scale([(scores, 1.0)], without=without)


def points_scale(points: Estimate, *, without: Collection[str] = ()) -> Scale:
    """Returns the ranking by points of entrants that met the same opponents."""
    points = points.only(_ranked(points.entrants, without))
    everybody = (points.entrants,)
    return Scale(basis=Basis.POINTS, estimate=points, classes=everybody, parts=everybody, claims=make_claims(points))


def _ranked(names: tuple[str, ...], without: Collection[str]) -> tuple[str, ...]:
    """Returns who is ranked: everybody where nobody would be left."""
    return tuple(name for name in names if name not in without) or names


def ratings_scale(weighted: Sequence[tuple[GroupScores, float]], *, without: Collection[str] = ()) -> Scale:
    """Returns the ranking by strength, summed over groups with weights, of the entrants that are in every group."""
    everywhere = tuple(sorted(set.intersection(*(set(scores.games.entrants) for scores, _ in weighted))))
    names = _ranked(everywhere, without)
    estimate = combined([(scores.strengths.only(names), weight) for scores, weight in weighted])
    classes = in_every([scores.classes for scores, _ in weighted], names)
    return Scale(
        basis=Basis.RATINGS,
        estimate=estimate,
        classes=classes,
        parts=in_every([scores.connection.parts for scores, _ in weighted], names),
        claims=_ratings_claims(estimate, classes, weighted),
    )


def _ratings_claims(
    estimate: Estimate, classes: Sequence[tuple[str, ...]], weighted: Sequence[tuple[GroupScores, float]]
) -> Claims | None:
    """Returns what may be claimed; of two of different classes only what the tables show that they shared."""
    tested = [name for name, met in zip(estimate.entrants, estimate.met.tolist(), strict=True) if met >= FEWEST_DEALS]
    if len(tested) < 2:
        return None
    if any(set(tested) <= set(members) for members in classes):
        return make_claims(estimate)
    comparisons = len(tested) * (len(tested) - 1) // 2
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
        if abs(figure.value) > max(bonferroni_critical(comparisons, degrees=figure.deals - 1) * figure.error, 1e-9):
            pairs.append((first, second) if figure.value > 0 else (second, first))
    return Claims(
        method=Method.BONFERRONI,
        critical=bonferroni_critical(comparisons, degrees=max(deals) - 1),
        pairs=tuple(sorted(pairs, key=lambda pair: (tested.index(pair[0]), tested.index(pair[1])))),
    )


def shared_points(
    weighted: Sequence[tuple[GroupScores, float]], entrant: str, opponent: str, *, all_if_equal: bool = False
) -> Estimate | None:
    """Returns the weighted points of two entrants at the tables that they shared in each group; None without any.

    `all_if_equal`: of a group in which all, or these two, met the same opponents, their points at all tables.
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
    """Returns the weighted sum of estimates of the same entrants; of one alone, with weight 1, the estimate itself."""
    return parts[0][0] if len(parts) == 1 else weighted_sum(parts)
