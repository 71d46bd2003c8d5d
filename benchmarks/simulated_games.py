"""Simulated tournaments for checks of the ranking: no rules, only strength and luck, drawn many at a time.

A seat gets the sum of the bot's strength, the luck of the hand (which rotates), how well the bot gets on with the
deal (which does not) and noise; the highest sum wins.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from tournament.ranking.compact.by_deal import Floats
from tournament.ranking.group_games import GroupGames, Integers
from tournament.records.run import Field
from tournament.schedule.formats import gauntlet_tables, round_robin_tables, with_deals

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
        return _played(self, order, names=self.names, strengths=self.strengths, rng=rng)


@dataclass(frozen=True, kw_only=True)
class Design:
    """A simulated game at given tables: unequal opposition, as schedules other than a round robin have it."""

    name: str
    players: int
    strengths: dict[str, float]
    """By entrant."""

    tables: tuple[tuple[str, ...], ...]
    """One a block, in the order of the schedule."""

    pair: tuple[str, str]
    """Two entrants of equal strength that met different opponents."""

    hand: float = 1.0
    taste: float = 1.0
    noise: float = 1.0

    def tournaments(self, count: int, *, rng: np.random.Generator) -> Iterator[GroupGames]:
        """Yields tournaments that all have these tables."""
        names = tuple(sorted(self.strengths))
        number = {name: at for at, name in enumerate(names)}
        order = np.array([[number[name] for name in table] for table in self.tables], dtype=np.int64)
        strengths = np.array([self.strengths[name] for name in names])
        for _ in range(count):
            yield _played(self, order, names=names, strengths=strengths, rng=rng)


def _played(
    world: World | Design, order: Integers, *, names: tuple[str, ...], strengths: Floats, rng: np.random.Generator
) -> GroupGames:
    """Returns the games of tables, one in each row of `order`, in all rotations."""
    k = world.players
    turn = (np.arange(k)[:, None] + np.arange(k)) % k  # who sits where in each rotation
    seats = order[:, turn]
    sums = world.noise * rng.standard_normal(seats.shape)
    sums += strengths[seats]
    sums += world.hand * rng.standard_normal((len(order), 1, k))
    sums += (world.taste * rng.standard_normal(order.shape))[:, turn]
    seats = seats.reshape(-1, k)
    scores = np.rint(sums.reshape(-1, k) * 4).astype(np.int64)
    above, below = _counts(scores)
    return GroupGames(
        group=world.name,
        players=k,
        entrants=names,
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


def _round_robin(names: str, players: int, *, deals: int) -> tuple[tuple[str, ...], ...]:
    """Returns the tables of a round robin of entrants with names of one letter."""
    field = Field(group="drawn", players=players, entrants=tuple(names), blocks=0)
    return tuple(round_robin_tables(with_deals([field], deals)[0], seed="drawn"))


def _gauntlet(names: str, players: int, *, focus: str, deals: int) -> tuple[tuple[str, ...], ...]:
    """Returns the tables of a gauntlet."""
    field = Field(group="drawn", players=players, entrants=tuple(names), blocks=0, focus=tuple(focus))
    return tuple(gauntlet_tables(with_deals([field], deals)[0], seed="drawn"))


def _gauntlets() -> Iterator[Design]:
    """Yields gauntlets of N about O, its equal, among two weaker or stronger bots: few deals, and 30 shared or more."""
    for players, few, many in ((2, 20, 60), (3, 10, 40)):
        for field, strength in (("weak", -1.5), ("strong", 1.5)):
            for deals in (few, many):
                yield Design(
                    name=f"gauntlet, {field} field, {players} players, {deals} deals",
                    players=players,
                    strengths={"N": 0.0, "O": 0.0, "p": strength, "q": strength * 0.8},
                    tables=_gauntlet("NOpq", players, focus="N", deals=deals),
                    pair=("N", "O"),
                )


def _pools() -> Iterator[Design]:
    """Yields two round robins pooled, one of strong and one of weak bots, each with one of two equal bots."""
    for common in ("xy", "x", ""):
        strengths = {"A": 0.0, "B": 0.0, "s": 1.0, "t": 0.6, "v": -1.0, "w": -0.6, "x": 0.2, "y": -0.2}
        first, second = "Ast" + common, "Bvw" + common
        for players, deals in ((2, 30), (3, 12)):
            yield Design(
                name=f"pooled, {len(common)} in both, {players} players, {deals} deals",
                players=players,
                strengths={name: strengths[name] for name in sorted(set(first + second))},
                tables=_round_robin(first, players, deals=deals) + _round_robin(second, players, deals=deals),
                pair=("A", "B"),
            )


def _extensions() -> Iterator[Design]:
    """Yields round robins to which N, as good as the best, came with a quarter of the deals."""
    for players, deals in ((2, 200), (3, 64)):
        yield Design(
            name=f"extended by a quarter, {players} players, {deals} deals",
            players=players,
            strengths={"A": 1.0, "b": 0.0, "c": -0.5, "d": -1.0, "N": 1.0},
            tables=_round_robin("Abcd", players, deals=deals)
            + _gauntlet("AbcdN", players, focus="N", deals=deals // 4),
            pair=("N", "A"),
        )


def _equal_bots() -> Iterator[Design]:
    """Yields unequal opposition among bots that are all equal: every claim is false."""
    everybody = dict.fromkeys("NOpqrs", 0.0)
    for players, deals in ((2, 30), (2, 200), (3, 10), (3, 50)):
        yield Design(
            name=f"gauntlet, all equal, {players} players, {deals} deals",
            players=players,
            strengths=everybody,
            tables=_gauntlet("NOpqrs", players, focus="N", deals=deals),
            pair=("N", "O"),
        )
    for players, deals in ((2, 30), (3, 30)):
        yield Design(
            name=f"pooled, all equal, 1 in both, {players} players, {deals} deals",
            players=players,
            strengths=everybody,
            tables=_round_robin("NOpq", players, deals=deals) + _round_robin("qrs", players, deals=deals),
            pair=("N", "r"),
        )


def _two_focus_bots() -> Iterator[Design]:
    """Yields gauntlets of N and O, which are equal and never meet, against the same field."""
    for players, deals in ((2, 30), (3, 15)):
        for field, strength in (("weak", -1.5), ("strong", 1.5)):
            yield Design(
                name=f"gauntlet of both, {field} field, {players} players, {deals} deals",
                players=players,
                strengths={"N": 0.0, "O": 0.0, "p": strength, "q": strength * 0.8, "r": strength * 0.6},
                tables=_gauntlet("NOpqr", players, focus="NO", deals=deals),
                pair=("N", "O"),
            )


def _balanced() -> Iterator[Design]:
    """Yields round robins, whole and sampled, of bots of different strength."""
    for players, blocks in ((2, 600), (3, 400)):
        for count in (blocks, blocks + 7):
            names = "abcdef"
            field = Field(group="drawn", players=players, entrants=tuple(names), blocks=count)
            yield Design(
                name=f"round robin, {players} players, {count} deals",
                players=players,
                strengths=dict(zip(names, np.linspace(-0.6, 0.6, len(names)).tolist(), strict=True)),
                tables=tuple(round_robin_tables(field, seed="drawn")),
                pair=("a", "b"),
            )


UNEQUAL = (*_gauntlets(), *_pools(), *_extensions(), *_equal_bots(), *_two_focus_bots())
BALANCED = tuple(_balanced())
