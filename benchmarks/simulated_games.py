"""Simulated tournaments for checks of the ranking: no rules, only strength and luck, drawn many at a time.

A seat gets the sum of the bot's strength, the luck of the hand (which rotates), how well the bot gets on with the
deal (which does not) and noise; the highest sum wins.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from tournament.ranking.arrays import Floats, GroupGames, Integers

DRAWN_AT_ONCE = 400_000
"""Seats drawn in one go; more are no faster."""


@dataclass(frozen=True)
class World:
    """A simulated game; `entrants` is a multiple of `players`. The last three are standard deviations."""

    name: str
    entrants: int
    players: int
    spread: float = 0.0
    hand: float = 0.0
    taste: float = 0.0
    noise: float = 1.0

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the entrants, in order."""
        return tuple(f"bot{number:02}" for number in range(self.entrants))

    @property
    def strengths(self) -> Floats:
        """Evenly spread strengths, or all 0."""
        return np.linspace(-self.spread, self.spread, self.entrants)

    def blocks(self, deals_each: int) -> int:
        """Returns the blocks in which every entrant sits in so many deals."""
        return deals_each * self.entrants // self.players

    def tournaments(self, count: int, *, blocks: int, rng: np.random.Generator) -> Iterator[GroupGames]:
        """Yields tournaments of so many blocks: in every entrants / players of them each entrant sits once."""
        games = blocks * self.players
        for drawn, at_once in self._draws(count, blocks=blocks, rng=rng):
            for first in range(0, at_once * games, games):
                own = slice(first, first + games)
                yield replace(
                    drawn,
                    deals=_deals(blocks),
                    deal=drawn.deal[:games],
                    seats=drawn.seats[own],
                    half_points=drawn.half_points[own],
                    places=drawn.places[own],
                    scores=drawn.scores[own],
                    forfeited=drawn.forfeited[own],
                )

    def chunk_points(self, count: int, *, chunks: int, rng: np.random.Generator) -> Iterator[Floats]:
        """Yields the mean points of each entrant in each chunk of some tournaments at once.

        Each has shape (tournaments, chunks, entrants); `count` is that of all tournaments together.
        """
        for drawn, at_once in self._draws(count, blocks=self.blocks(chunks), rng=rng):
            halves = drawn.sums(drawn.half_points).reshape(at_once, chunks, -1, self.entrants).sum(axis=2)
            yield halves / (2 * (self.players - 1) * self.players)

    def _draws(self, count: int, *, blocks: int, rng: np.random.Generator) -> Iterator[tuple[GroupGames, int]]:
        at_once = max(DRAWN_AT_ONCE // (blocks * self.players**2), 1)
        for start in range(0, count, at_once):
            size = min(at_once, count - start)
            yield self._draw(size, blocks=blocks, rng=rng), size

    def _draw(self, count: int, *, blocks: int, rng: np.random.Generator) -> GroupGames:
        """Returns tournaments after each other as if they were one."""
        k = self.players
        rounds = -(-blocks * k // self.entrants)
        order = rng.permuted(np.tile(np.arange(self.entrants), (count * rounds, 1)), axis=1)
        order = order.reshape(count, -1, k)[:, :blocks].reshape(-1, k)
        turn = (np.arange(k)[:, None] + np.arange(k)) % k  # who sits where in each rotation
        seats = order[:, turn]
        sums = self.noise * rng.standard_normal(seats.shape)
        sums += self.strengths[seats]
        sums += self.hand * rng.standard_normal((len(order), 1, k))
        sums += (self.taste * rng.standard_normal(order.shape))[:, turn]
        seats = seats.reshape(-1, k)
        scores = np.rint(sums.reshape(-1, k) * 4).astype(np.int64)
        above, below = _counts(scores)
        return GroupGames(
            group=self.name,
            players=k,
            entrants=self.names,
            deals=_deals(len(order)),
            seats=seats,
            deal=np.repeat(np.arange(len(order)), k),
            half_points=k - 1 - above + below,
            places=1 + above,
            scores=scores,
            forfeited=np.zeros(seats.shape, dtype=np.bool_),
        )


def _counts(scores: Integers) -> tuple[Integers, Integers]:
    """Returns for each seat how many have more, and how many fewer."""
    above, below = np.zeros(scores.shape, dtype=np.int64), np.zeros(scores.shape, dtype=np.int64)
    for other in scores.T:
        above += other[:, None] > scores
        below += other[:, None] < scores
    return above, below


@lru_cache(maxsize=64)
def _deals(count: int) -> tuple[str, ...]:
    return tuple(f"{number:07}" for number in range(count))


WORLDS = (
    World("hands, 4 of 4", 4, 4, spread=0.5, hand=1.5),
    World("hands, 4 of 8", 8, 4, spread=0.5, hand=1.5),
    World("taste, 4 of 8", 8, 4, spread=0.5, taste=1.5),
    World("both, 2 of 8", 8, 2, spread=0.5, hand=1.0, taste=1.0),
    World("both, 3 of 6", 6, 3, spread=0.5, hand=1.0, taste=1.0),
    World("both, 2 of 20", 20, 2, spread=0.5, hand=1.0, taste=1.0),
)
PAIR = World("both, 2 of 2", 2, 2, hand=1.0, taste=1.0)
EQUAL = (
    World("hands, 4 of 4", 4, 4, hand=1.5),
    World("both, 4 of 8", 8, 4, hand=1.0, taste=1.0),
    World("both, 2 of 8", 8, 2, hand=1.0, taste=1.0),
    World("taste, 2 of 20", 20, 2, taste=1.5),
)
