"""Chunks of a schedule: the shortest stretches in which all entrants sat equally often, fed block by block.

Where a chunk ends depends on the schedule alone and never on a result, so that a stop at the end of one is fair.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from tournament.ranking.results import GameResult, half_points


class ChunkCollector:
    """Turns blocks into mean points a chunk; with several groups, the weighted sum of one chunk of each."""

    def __init__(
        self,
        entrants: Mapping[str, Iterable[str]],
        *,
        ranked: Sequence[str],
        weights: Mapping[str, float],
    ) -> None:
        """Takes by group its entrants and its weight, and the entrants the chunks are about, all in every group."""
        self._ranked = tuple(ranked)
        self._weights = {group: weights[group] for group in sorted(entrants)}
        self._appearances = {group: dict.fromkeys(names, 0) for group, names in entrants.items()}
        self._halves = {group: dict.fromkeys(names, 0) for group, names in entrants.items()}
        self._waiting: dict[str, deque[list[float]]] = {group: deque() for group in entrants}

    def add_block(self, block: Iterable[GameResult]) -> list[float] | None:
        """Returns the mean points of the ranked entrants when this whole block completes a chunk, otherwise None."""
        group = ""
        players = 2
        for result in block:
            group, players = result.group, result.players
            points = half_points(result.places, result.forfeits, result.ending)
            for entrant, half in zip(result.entrants, points, strict=True):
                self._appearances[group][entrant] += 1
                self._halves[group][entrant] += half
        if not group:
            return None
        counts = self._appearances[group]
        appearances = counts[self._ranked[0]]
        if any(count != appearances for count in counts.values()):
            return None
        full = 2 * (players - 1) * appearances
        self._waiting[group].append([float(Fraction(self._halves[group][name], full)) for name in self._ranked])
        self._appearances[group] = dict.fromkeys(counts, 0)
        self._halves[group] = dict.fromkeys(counts, 0)
        if not all(self._waiting.values()):
            return None
        parts = [(weight, self._waiting[group].popleft()) for group, weight in self._weights.items()]
        return [sum(weight * part[place] for weight, part in parts) for place in range(len(self._ranked))]
