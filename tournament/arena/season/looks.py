"""What may be claimed of versions that are looked at after every round, while new ones arrive.

A season has an error of 0.05 for all claims at all looks together. The n-th version to arrive has a share of
0.05 / (n (n + 1)) for its pairs with the n - 1 before it, and these shares never add up to more than 0.05, however many
arrive. Each pair has a boundary that holds at all its looks: that of a confidence sequence, in deals of the one that
sat in fewer.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import numpy as np

from tournament.arena.ladder_file import DEALS_TO_RANK, ERROR_OF_CLAIMS
from tournament.ranking.claims import claimed_pairs
from tournament.ranking.compact.by_deal import Floats
from tournament.ranking.group_games import Booleans
from tournament.ranking.points import Estimate
from tournament.ranking.sequential import sequence_radius

_BEYOND_ALL: Final = 1e9


def error_of_pair(arrived: int) -> float:
    """Returns the error that a pair may have whose later version was the so-manieth to arrive, 2 or more."""
    return ERROR_OF_CLAIMS / (arrived * (arrived + 1) * (arrived - 1))


@lru_cache(maxsize=1 << 16)
def critical_at(deals: int, *, arrived: int) -> float:
    """Returns how many standard errors a difference has to be claimed, after so many deals; it holds at all looks."""
    return math.sqrt(deals) * sequence_radius(chunks=deals, alpha=error_of_pair(arrived))


def told_apart(estimate: Estimate, *, arrived: Sequence[int]) -> Booleans:
    """Returns a matrix that is true at [a, b] where a is claimed to be better than b.

    `arrived` says of each entrant as the so-manieth of the season it arrived, from 1. Nothing is claimed of an entrant
    under 30 deals.
    """
    deals = np.minimum(estimate.met[:, None], estimate.met[None, :])
    later = np.maximum(np.array(arrived)[:, None], np.array(arrived)[None, :])
    critical: Floats = np.full(deals.shape, _BEYOND_ALL)
    for first, second in np.argwhere(np.triu(deals >= DEALS_TO_RANK, 1)).tolist():
        value = critical_at(int(deals[first, second]), arrived=int(later[first, second]))
        critical[first, second] = critical[second, first] = value
    return claimed_pairs(estimate.values, estimate.difference_errors, critical=critical)
