"""How the games of a season ended: arrays of a few bytes a game, and sums by version and by pair."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tournament.ranking.compact.by_deal import Names
from tournament.ranking.compact.collecting import CountedGames
from tournament.ranking.group_games import Booleans, GroupGames, Integers, distinct, half_points_of


@dataclass(frozen=True, eq=False, kw_only=True)
class GroupOutcomes:
    """The whole blocks of one group, by round."""

    group: str
    game: str
    players: int
    rounds: Integers
    """The number of the round of each block."""

    order: Integers
    """Who sat in each seat in rotation 0, as places in the names, shape (blocks, players)."""

    places: Integers
    """By rotation and seat, shape (blocks, players, players)."""

    forfeited: Booleans

    @property
    def games_played(self) -> int:
        """How many games these blocks have."""
        return len(self.order) * self.players

    def without(self, names: Iterable[int]) -> GroupOutcomes:
        """Returns the blocks at which none of these sat."""
        rows: Booleans = ~np.asarray(np.isin(self.order, list(names)).any(axis=1))
        return self._taken(rows)

    def _taken(self, rows: Booleans) -> GroupOutcomes:
        if rows.all():
            return self
        return GroupOutcomes(
            group=self.group,
            game=self.game,
            players=self.players,
            rounds=self.rounds[rows],
            order=self.order[rows],
            places=self.places[rows],
            forfeited=self.forfeited[rows],
        )

    def games(self, names: Sequence[str]) -> GroupGames:
        """Returns the blocks as games to be ranked, each block on a deal of its own; `names` are those of the season.

        Entrants are those that sat in them, in the order of the season, not by name. Scores are all 0.
        """
        players, blocks = self.players, len(self.order)
        there = np.unique(self.order)
        place = np.zeros(len(names), dtype=np.int32)
        place[there] = np.arange(len(there))
        order = place[self.order]
        numbers: Any = np.char.zfill(np.arange(blocks).astype(np.bytes_), len(str(blocks)))
        seats: Any = np.stack([np.roll(order, -rotation, axis=1) for rotation in range(players)], axis=1)
        places, forfeited = self.places.reshape(-1, players), self.forfeited.reshape(-1, players)
        return GroupGames(
            group=self.group,
            players=players,
            entrants=tuple(names[number] for number in there.tolist()),
            deals=Names(numbers),
            seats=seats.reshape(-1, players),
            deal=np.repeat(np.arange(blocks, dtype=np.int32), players),
            half_points=half_points_of(places.astype(np.int16), forfeited),
            places=places,
            scores=np.zeros(places.shape, dtype=np.int8),
            forfeited=forfeited,
        )

    def deals_of(self, size: int) -> Integers:
        """Returns in how many blocks each of so many names sat."""
        return np.bincount(self.order.ravel(), minlength=size)


@dataclass(frozen=True, eq=False, kw_only=True)
class PairOutcomes:
    """How often pairs of versions finished above each other; a row for a pair in a stretch of rounds."""

    stretch: Integers
    first: Integers
    """As places in the names; less than `second`."""

    second: Integers
    games: Integers
    won: Integers
    """By the first."""

    level: Integers


@dataclass(frozen=True, eq=False, kw_only=True)
class Outcomes:
    """How the games of a season, or of a stretch of it, ended."""

    names: tuple[str, ...]
    """Of versions and house bots, by the round that they first sat in, then by name."""

    rounds: tuple[int, ...]
    """The numbers of the rounds."""

    groups: Mapping[str, GroupOutcomes]
    faults: Mapping[str, Counter[str]]
    """By name and kind."""

    def only(self, groups: Collection[str]) -> Outcomes:
        """Returns the outcomes of some groups, with all faults."""
        kept = {name: own for name, own in self.groups.items() if name in groups}
        return Outcomes(names=self.names, rounds=self.rounds, groups=kept, faults=self.faults)

    def without(self, names: Iterable[str]) -> Outcomes:
        """Returns the outcomes of the tables at which none of these sat, under the same names and with all faults."""
        wanted = set(names)
        out = {number for number, name in enumerate(self.names) if name in wanted}
        if not out:
            return self
        groups = {name: group.without(out) for name, group in self.groups.items()}
        return Outcomes(names=self.names, rounds=self.rounds, groups=groups, faults=self.faults)


def outcomes_of_games(games: CountedGames, *, round_number: int) -> Outcomes:
    """Returns the outcomes of a round from its games."""
    names = tuple(sorted({name for own in games.groups for name in own.games.entrants}))
    number = {name: at for at, name in enumerate(names)}
    groups: dict[str, GroupOutcomes] = {}
    faults: dict[str, Counter[str]] = {}
    for own in games.groups:
        players = own.games.players
        place = np.array([number[name] for name in own.games.entrants])
        order = place[own.games.seats[::players]]
        groups[own.games.group] = GroupOutcomes(
            group=own.games.group,
            game=own.game,
            players=players,
            rounds=np.full(len(order), round_number),
            order=order,
            places=own.games.places.reshape(-1, players, players),
            forfeited=own.games.forfeited.reshape(-1, players, players),
        )
        for name, counts in own.faults.items():
            faults.setdefault(name, Counter()).update(counts)
    return Outcomes(names=names, rounds=(round_number,), groups=groups, faults=faults)


def joined_outcomes(parts: Sequence[Outcomes]) -> Outcomes:
    """Returns several stretches as one; they come in the order of their rounds."""
    number: dict[str, int] = {}
    for part in parts:
        for name in part.names:
            number.setdefault(name, len(number))
    moved = [np.array([number[name] for name in part.names], dtype=np.int32) for part in parts]
    groups: dict[str, GroupOutcomes] = {}
    for name in sorted({name for part in parts for name in part.groups}):
        own = [(part.groups[name], place) for part, place in zip(parts, moved, strict=True) if name in part.groups]
        groups[name] = GroupOutcomes(
            group=name,
            game=own[0][0].game,
            players=own[0][0].players,
            rounds=np.concatenate([group.rounds for group, _ in own]),
            order=np.concatenate([place[group.order] for group, place in own]),
            places=np.concatenate([group.places for group, _ in own]),
            forfeited=np.concatenate([group.forfeited for group, _ in own]),
        )
    faults: dict[str, Counter[str]] = {}
    for part in parts:
        for name, counts in part.faults.items():
            faults.setdefault(name, Counter()).update(counts)
    rounds = tuple(one for part in parts for one in part.rounds)
    return Outcomes(names=tuple(number), rounds=rounds, groups=groups, faults=faults)


def pair_outcomes(group: GroupOutcomes, *, last_rounds: Sequence[int]) -> PairOutcomes:
    """Returns the sums for each pair that met, in stretches of rounds given by the last round of each, in order."""
    players = group.players
    size = int(group.order.max(initial=0)) + 1
    stretch = np.searchsorted(last_rounds, group.rounds)
    keys, won, level = [], [], []
    for seat in range(players):
        for other in range(seat + 1, players):
            one, two = group.order[:, seat].astype(np.int64), group.order[:, other].astype(np.int64)
            keys.append((stretch * size + np.minimum(one, two)) * size + np.maximum(one, two))
            own, ahead_of = np.zeros((2, len(one)), dtype=np.int64)
            for rotation in range(players):  # by which everybody has moved to an earlier seat
                place = group.places[:, rotation, (seat - rotation) % players]
                beside = group.places[:, rotation, (other - rotation) % players]
                own += place < beside
                ahead_of += place > beside
            won.append(np.where(one < two, own, ahead_of))
            level.append(players - own - ahead_of)
    cells, cell, counts = distinct(np.concatenate(keys), bound=len(last_rounds) * size * size)
    sums = [np.bincount(cell, weights=np.concatenate(values)).astype(np.int64) for values in (won, level)]
    return PairOutcomes(
        stretch=cells // size**2,
        first=cells // size % size,
        second=cells % size,
        games=counts * players,
        won=sums[0],
        level=sums[1],
    )
