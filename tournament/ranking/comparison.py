"""Comparisons: two entrants of one ranking, and one ranking with another.

Source: `statistics.md`, "Numbers per game and player count" and "Claims".
"""

from __future__ import annotations

import math

import numpy as np

from tournament.ranking.arrays import Floats
from tournament.ranking.claims import bonferroni_critical
from tournament.ranking.distributions import normal_points
from tournament.ranking.estimates import Estimate
from tournament.ranking.intervals import FEWEST_DEALS, LEVEL, difference_figure
from tournament.ranking.planning import more_deals_to_claim
from tournament.records.comparison import Agreement, Change, Comparison, RankingChange
from tournament.records.standings import Claims


def compare_entrants(estimate: Estimate, entrant: str, opponent: str, *, claims: Claims | None) -> Comparison:
    """Returns the difference of two entrants, and whether the claims made from the same estimate hold it."""
    difference = estimate.difference(entrant, opponent)
    more_deals = None
    if claims is not None and difference.figure.error is not None:
        more_deals = more_deals_to_claim(
            difference.figure.value,
            error=difference.figure.error,
            critical=claims.critical,
            deals=estimate.deal_count,
        )
    claimed = claims is not None and (claims.holds(entrant, opponent) or claims.holds(opponent, entrant))
    return Comparison(difference=difference, claimed=claimed, more_deals=more_deals)


def compare_rankings(before: Estimate, after: Estimate) -> RankingChange:
    """Returns who moved between two rankings and whether it is more than noise.

    Deals with the same name count as the same deal, so that two runs on one suite are compared deal by deal.
    Cost of the agreement: 8192 * pairs.
    """
    common = tuple(sorted(set(before.entrants) & set(after.entrants)))
    only_before = tuple(name for name in before.entrants if name not in common)
    only_after = tuple(name for name in after.entrants if name not in common)
    changes: list[Change] = []
    agreement = None
    if common:
        first, second = before.only(common), after.only(common)
        changes = _changes(first, second)
        if len(common) > 1:
            agreement = _agreement(first, second)
    return RankingChange(changes=tuple(changes), only_before=only_before, only_after=only_after, agreement=agreement)


def _changes(before: Estimate, after: Estimate) -> list[Change]:
    old, new = _on_common_deals(before, after)
    errors = np.sqrt(((new - old) ** 2).sum(axis=0)).tolist()
    differences = (after.values - before.values).tolist()
    deals = np.minimum(before.met, after.met).tolist()
    places_before, places_after = places(before.values), places(after.values)
    changes = []
    for number, entrant in enumerate(before.entrants):
        figure = difference_figure(differences[number], error=errors[number], deals=deals[number], bounds=before.bounds)
        real = False
        if figure.error is not None:
            critical = bonferroni_critical(len(before.entrants), degrees=figure.deals - 1)
            real = abs(figure.value) > max(critical * figure.error, 1e-9)
        changes.append(
            Change(
                entrant=entrant,
                place_before=places_before[number],
                place_after=places_after[number],
                difference=figure,
                real=real,
            )
        )
    return sorted(changes, key=lambda change: (change.place_after, change.entrant))


def _on_common_deals(before: Estimate, after: Estimate) -> tuple[Floats, Floats]:
    names = sorted(set(before.deals) | set(after.deals))
    row = {name: number for number, name in enumerate(names)}
    old: Floats = np.zeros((len(names), len(before.entrants)))
    new: Floats = np.zeros((len(names), len(after.entrants)))
    np.add.at(old, [row[name] for name in before.deals], before.influence)
    np.add.at(new, [row[name] for name in after.deals], after.influence)
    return old, new


def _agreement(before: Estimate, after: Estimate) -> Agreement:
    first, second = np.triu_indices(len(before.entrants), k=1)

    def taus(old: Floats, new: Floats) -> Floats:
        signs = np.sign(old[:, first] - old[:, second]) * np.sign(new[:, first] - new[:, second])
        means: Floats = signs.mean(axis=1)
        return means

    tau = float(taus(before.values[None, :], after.values[None, :])[0])
    if min(int(before.met.min()), int(after.met.min())) < FEWEST_DEALS:
        return Agreement(tau=tau, low=None, high=None)
    size = len(before.entrants)
    influence = np.concatenate(_on_common_deals(before, after), axis=1)
    eigenvalues, vectors = np.linalg.eigh(influence.T @ influence)
    draws = normal_points(2 * size) @ (vectors * np.sqrt(np.maximum(eigenvalues, 0.0))).T
    ordered = np.sort(taus(before.values + draws[:, :size], after.values + draws[:, size:]))
    outside = math.floor(len(ordered) * (1.0 - LEVEL) / 2.0)
    return Agreement(tau=tau, low=float(ordered[outside]), high=float(ordered[-1 - outside]))


def places(values: Floats) -> tuple[int, ...]:
    """Returns for each number 1 + how many are higher: equal numbers share a place."""
    return tuple((1 + (values[None, :] > values[:, None]).sum(axis=1)).tolist())
