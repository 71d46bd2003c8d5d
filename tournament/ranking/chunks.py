"""Chunks of a schedule: the shortest stretches in which all entrants sit equally often, fed block by block.

Where a chunk ends depends on the schedule alone and never on a result, so that a stop at the end of one is fair.
Blocks that are not played (void, or with an entrant that was withdrawn) count for that like all others; a chunk in
which somebody who is still in had no game goes on to the end of the next.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from tournament.records.results import GameResult


class ChunkCollector:
    """Turns blocks into mean points a chunk; with several groups, the weighted sum of one chunk of each."""

    def __init__(
        self,
        entrants: Mapping[str, Iterable[str]],
        *,
        ranked: Sequence[str],
        weights: Mapping[str, float],
    ) -> None:
        """Takes by group its entrants and its weight, and the entrants the chunks are about, all in every group.

        The entrants of a group are those who are to sit equally often in a chunk; others may sit there, too.
        """
        self._ranked = tuple(ranked)
        self._weights = {group: weights[group] for group in sorted(entrants)}
        self._stretches = {group: _Stretch(names) for group, names in entrants.items()}
        self._waiting: dict[str, deque[dict[str, float]]] = {group: deque() for group in entrants}

    def add_block(self, block: Iterable[GameResult]) -> list[float] | None:
        """Returns the mean points of the ranked entrants when this whole block completes a chunk, otherwise None."""
        games = list(block)
        if not games:
            return None
        group = games[0].group
        self._stretches[group].add(games)
        return self._seat(group, games[0].seats)

    def pass_over(self, group: str, entrants: Iterable[str]) -> list[float] | None:
        """Returns the same for a block of the schedule that is not played."""
        return self._seat(group, entrants)

    def begin(self, entrants: Mapping[str, Iterable[str]]) -> None:
        """Begins a schedule among others, by group; what was no whole chunk before it is in none."""
        self._stretches |= {group: _Stretch(names) for group, names in entrants.items()}

    def withdraw(self, entrant: str) -> None:
        """Leaves an entrant out of the chunks that are not complete yet."""
        self._ranked = tuple(name for name in self._ranked if name != entrant)

    def _seat(self, group: str, entrants: Iterable[str]) -> list[float] | None:
        stretch = self._stretches[group]
        stretch.sat.update(entrants)
        if not stretch.is_even() or not all(stretch.games[name] for name in self._ranked):
            return None
        self._waiting[group].append(stretch.means(self._ranked))
        self._stretches[group] = _Stretch(stretch.entrants)
        if not all(self._waiting.values()):
            return None
        parts = [(weight, self._waiting[name].popleft()) for name, weight in self._weights.items()]
        return [sum(weight * part[name] for weight, part in parts) for name in self._ranked]


class _Stretch:
    """The blocks of a group since its last chunk."""

    def __init__(self, entrants: Iterable[str]) -> None:
        self.entrants = tuple(entrants)
        self.sat: Counter[str] = Counter()
        """How often by the schedule."""

        self.games: Counter[str] = Counter()
        self._halves: Counter[str] = Counter()
        self._others = 1

    def add(self, games: Iterable[GameResult]) -> None:
        for game in games:
            self.games.update(game.seats)
            self._halves.update(dict(zip(game.seats, game.half_points, strict=True)))
            self._others = game.players - 1

    def is_even(self) -> bool:
        return len({self.sat[name] for name in self.entrants}) == 1

    def means(self, names: Iterable[str]) -> dict[str, float]:
        return {name: float(Fraction(self._halves[name], 2 * self._others * self.games[name])) for name in names}
