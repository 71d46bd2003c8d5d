"""The few distribution functions the ranking needs, as floats. The only module that knows scipy."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from scipy import special  # type: ignore[import-untyped, unused-ignore]

from tournament.ranking.arrays import Floats

_POINTS = 8192


def normal_probability(value: float) -> float:
    """Returns P(Z <= value) of a standard normal Z."""
    return float(special.ndtr(value))


def normal_quantile(probability: float) -> float:
    """Returns the value a standard normal stays below with this probability, 0 < probability < 1."""
    return float(special.ndtri(probability))


@lru_cache(maxsize=8)
def normal_points(dimensions: int) -> Floats:
    """Returns fixed points that lie like draws of independent standard normals, shape (8192, dimensions).

    Richtmyer's points, multiples of the roots of primes: even in many dimensions, and no generator to seed.
    """
    primes: list[int] = []
    candidate = 2
    while len(primes) < dimensions:
        if all(candidate % prime for prime in primes):
            primes.append(candidate)
        candidate += 1
    uniform = np.arange(1, _POINTS + 1)[:, None] * np.sqrt(np.array(primes, dtype=np.float64)) % 1.0
    points: Any = special.ndtri(uniform)
    return np.asarray(points, dtype=np.float64)


def student_probability(value: float, degrees: float) -> float:
    """Returns P(T <= value) of Student's t."""
    return float(special.stdtr(degrees, value))


def student_quantile(probability: float, degrees: float) -> float:
    """Returns the value Student's t stays below with this probability, 0 < probability < 1, degrees >= 1."""
    return float(special.stdtrit(degrees, probability))


def chi_square_probabilities(values: Floats, degrees: float) -> Floats:
    """Returns P(X <= value) for each element, X chi-square with these degrees of freedom."""
    probabilities: Any = special.chdtr(degrees, values)
    return np.asarray(probabilities, dtype=np.float64)
