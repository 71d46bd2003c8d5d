"""What may be claimed about an order: critical values and rank ranges.

a > b is claimed only when the difference exceeds crit * its standard error, crit being the 95 % point of the
largest |difference| over all pairs at once. Overlapping intervals prove nothing either way.
Source: `docs/statistics.md`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tournament.ranking.arrays import Booleans, Floats
from tournament.ranking.distributions import (
    chi_square_probabilities,
    normal_points,
    normal_probability,
    normal_quantile,
    student_quantile,
)
from tournament.ranking.estimates import Estimate, difference_errors
from tournament.ranking.intervals import FEWEST_DEALS, LEVEL, bonferroni_critical
from tournament.records.standings import Claims, Method

FEWEST_DEALS_FOR_MAX_T = 200
"""Under so many deals of some entrant the covariances are too uncertain for max-t."""

_ROUNDING = 1e-9  # a difference this small is rounding, whatever its error


def make_claims(estimate: Estimate) -> Claims | None:
    """Returns what may be claimed among the entrants with 10 deals or more; None when there are not two of them."""
    tested = [name for name, met in zip(estimate.entrants, estimate.met.tolist(), strict=True) if met >= FEWEST_DEALS]
    if len(tested) < 2:
        return None
    estimate = estimate.only(tuple(tested))
    degrees = int(estimate.met.min()) - 1
    if degrees + 1 < FEWEST_DEALS_FOR_MAX_T:
        method, critical = Method.BONFERRONI, bonferroni_critical(_pairs(len(tested)), degrees=degrees)
    else:
        method, critical = Method.MAX_T, max_t_critical(estimate.covariance, degrees=degrees)
    claimed = claimed_pairs(estimate.values, estimate.difference_errors, critical=critical)
    pairs = tuple((tested[better], tested[worse]) for better, worse in np.argwhere(claimed).tolist())
    return Claims(method=method, critical=critical, pairs=pairs)


def _pairs(entrants: int) -> int:
    return entrants * (entrants - 1) // 2


def max_t_critical(covariance: Floats, *, degrees: float, level: float = LEVEL) -> float:
    """Returns the value the largest |difference| / error over all pairs stays below with this probability.

    The differences are normal together, and each is divided by an error of its own: the 95 % point of the largest
    normal ratio, moved to where Student's t leaves as much outside. (The multivariate t divides all by one error:
    that asks too little.) The direction of the normal is integrated over fixed quasi-random points, its length
    exactly (its square is a chi-square), so that the same covariance always gives the same value, to about 0.01.
    Pairs whose difference has no error are left out. Cost: points * pairs.
    """
    size = len(covariance)
    errors = difference_errors(covariance)
    smallest = 1e-9 * float(errors.max(initial=0.0))
    centring = np.eye(size) - 1.0 / size
    eigenvalues, vectors = np.linalg.eigh(centring @ covariance @ centring)
    used = eigenvalues > 1e-12 * max(float(eigenvalues[-1]), 0.0)
    if smallest == 0.0 or not used.any():
        return bonferroni_critical(max(_pairs(size), 1), degrees=degrees, level=level)
    normal = normal_points(size)
    directions = normal / np.linalg.norm(normal, axis=1, keepdims=True)
    # The symmetric root: which eigenvectors a library finds for equal eigenvalues differs from machine to machine.
    root = (vectors[:, used] * np.sqrt(eigenvalues[used])) @ vectors[:, used].T
    spread = root @ directions.T
    largest = np.zeros(len(directions))
    for entrant in range(size - 1):
        others = entrant + 1 + np.flatnonzero(errors[entrant, entrant + 1 :] > smallest)
        if len(others):
            ratios = np.abs(spread[others] - spread[entrant]) / errors[entrant, others, None]
            np.maximum(largest, ratios.max(axis=0), out=largest)
    # Neighbours in size are nearly equal: the mean of eight stands for them, and costs an eighth.
    squares = np.maximum(np.sort(largest).reshape(-1, 8).mean(axis=1), 1e-12) ** 2
    low = normal_quantile(0.5 + level / 2.0)
    high = normal_quantile(1.0 - (1.0 - level) / (2.0 * _pairs(size)))
    while high - low > 1e-5 * high:
        middle = (low + high) / 2.0
        if float(chi_square_probabilities(middle**2 / squares, size).mean()) < level:
            low = middle
        else:
            high = middle
    return student_quantile(normal_probability(high), degrees)


def claimed_pairs(values: Floats, errors: Floats, *, critical: float) -> Booleans:
    """Returns a matrix that is true at [a, b] where a is claimed to be better than b; `errors` are of differences."""
    differences = values[:, None] - values[None, :]
    claimed: Booleans = differences > np.maximum(critical * errors, _ROUNDING)
    return claimed


def rank_ranges(claimed: Booleans) -> tuple[tuple[int, int], ...]:
    """Returns for each entrant the best and the worst rank the claims leave open, from 1."""
    above = claimed.sum(axis=0).tolist()
    below = claimed.sum(axis=1).tolist()
    return tuple((1 + up, len(claimed) - down) for up, down in zip(above, below, strict=True))


def claim_matrix(claims: Claims | None, entrants: Sequence[str]) -> Booleans:
    """Returns claims as a matrix, true at [a, b] where a is claimed to be better; all false for None."""
    matrix: Booleans = np.zeros((len(entrants), len(entrants)), dtype=np.bool_)
    number = {entrant: place for place, entrant in enumerate(entrants)}
    for better, worse in claims.pairs if claims is not None else ():
        if better in number and worse in number:
            matrix[number[better], number[worse]] = True
    return matrix


def places(values: Floats) -> tuple[int, ...]:
    """Returns for each number 1 + how many are higher: equal numbers share a place."""
    return tuple((1 + (values[None, :] > values[:, None]).sum(axis=1)).tolist())
