"""How strong versions were after earlier rounds, worked out anew from all results: for the lines on pages.

Each point is by all games of a version up to then, against opponents as strong as they are taken to be now. So a line
settles as a version plays, and a rival that was rated wrongly at first leaves no bend in it.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from tournament.arena.season.outcomes import PairOutcomes
from tournament.ranking.compact.by_deal import Floats
from tournament.ranking.group_games import Integers

_STEPS: Final = 30
_LONGEST_STEP: Final = 1.0
_PRECISION: Final = 1e-6
_BIN: Final = 0.1
"""Opponents whose strengths differ by less are taken together."""

_MOST_BINS: Final = 200


def strengths_so_far(pairs: PairOutcomes, strengths: Floats, *, stretches: int) -> Floats:
    """Returns the strength of each version after each stretch, shape (versions, stretches); not a number before any.

    `strengths` are those of all versions by now, as natural logarithms of odds. Half a win and half a defeat against
    strength 0 are added, as in the fit of all games.
    """
    size = len(strengths)
    low = float(strengths.min())
    width = max(_BIN, (float(strengths.max()) - low) / _MOST_BINS)
    placed = ((strengths - low) / width).astype(np.int64)
    bins = int(placed.max()) + 1
    games, points = np.zeros(size * stretches * bins), np.zeros(size * stretches)
    lost = pairs.games - pairs.won - pairs.level
    for own, other, won in ((pairs.first, pairs.second, pairs.won), (pairs.second, pairs.first, lost)):
        cell = own * stretches + pairs.stretch
        games += np.bincount(cell * bins + placed[other], weights=pairs.games, minlength=len(games))
        points += np.bincount(cell, weights=won + pairs.level / 2.0, minlength=len(points))
    met = np.cumsum(games.reshape(size, stretches, bins), axis=1)
    scored = np.cumsum(points.reshape(size, stretches), axis=1)
    opposed = _centres(strengths, placed, bins, low=low, width=width)
    found = _solved(met, scored, opposed, start=np.repeat(strengths[:, None], stretches, axis=1))
    found[met.sum(axis=2) == 0.0] = np.nan
    return found


def _centres(strengths: Floats, placed: Integers, bins: int, *, low: float, width: float) -> Floats:
    """Returns the mean strength of the versions in each bin."""
    counts = np.bincount(placed, minlength=bins)
    sums = np.bincount(placed, weights=strengths, minlength=bins)
    middles = low + width * (np.arange(bins) + 0.5)
    centres: Floats = np.where(counts > 0, sums / np.maximum(counts, 1), middles)
    return centres


def _solved(met: Floats, scored: Floats, opposed: Floats, *, start: Floats) -> Floats:
    """Returns the strengths at which the expected points are those that were scored."""
    found = start.copy()
    for _ in range(_STEPS):
        expected = 1.0 / (1.0 + np.exp(opposed[None, None, :] - found[:, :, None]))
        virtual = 1.0 / (1.0 + np.exp(-found))
        slope = scored - (met * expected).sum(axis=2) + 0.5 - virtual
        bend = (met * expected * (1.0 - expected)).sum(axis=2) + virtual * (1.0 - virtual)
        step = np.clip(slope / bend, -_LONGEST_STEP, _LONGEST_STEP)
        found += step
        if float(np.abs(step).max(initial=0.0)) < _PRECISION:
            break
    return found
