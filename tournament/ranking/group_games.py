"""The games of one group as arrays: what every figure starts from, who met whom, and whom results join.

Points depend on who was met, so they compare only bots that met the same opponents. The schedule alone decides
that, never a result. A round robin and a balanced sample give everybody the same opponents; a gauntlet, pooled
runs, an extension with fewer deals and a bot that left early do not.

Strengths have finite differences exactly when every set of entrants finished above, or level with, somebody outside
it at least once (Hunter, Annals of Statistics 32, 2004): when the graph of wins and ties is strongly connected.
A fit with a prior cannot answer that, because a prior makes every difference finite.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, pairwise
from operator import attrgetter
from typing import Any, Final, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from tournament.errors import RecordError
from tournament.games.contract import Ending
from tournament.ranking.compact.by_deal import MOST_CELLS, Floats, Names
from tournament.ranking.results import block_order
from tournament.records.results import GameResult

Integers = NDArray[np.int64]
Booleans = NDArray[np.bool_]
Column = TypeVar("Column", Integers, Booleans)


@dataclass(frozen=True, eq=False, kw_only=True)
class GroupGames:
    """The games of one group: arrays of shape (games, players) by seat, in an order that only the results decide.

    The arrays may have integers of few bytes; `chunks` gives them wide enough to count with.
    """

    group: str
    players: int
    entrants: tuple[str, ...]
    """Sorted by name; `seats` holds places in it."""

    deals: Sequence[str]
    """Sorted; `deal` holds places in it."""

    seats: Integers
    """The entrant of each seat."""

    deal: Integers
    """The deal of each game, shape (games,)."""

    half_points: Integers
    places: Integers
    scores: Integers
    forfeited: Booleans
    """Also true for every seat of an aborted game."""

    @cached_property
    def cells(self) -> Integers:
        """For each seat the number of its (deal, entrant) in a table of deals by entrants."""
        return self.deal[:, None] * len(self.entrants) + self.seats

    @cached_property
    def appearances(self) -> Floats:
        """How often each entrant sat in each deal, shape (deals, entrants)."""
        size = len(self.deals) * len(self.entrants)
        counts: Floats = np.bincount(self.cells.ravel(), minlength=size).astype(np.float64)
        return counts.reshape(len(self.deals), len(self.entrants))

    @cached_property
    def played(self) -> Floats:
        """In how many games each entrant sat, whole numbers."""
        counts: Floats = np.bincount(self.seats.ravel(), minlength=len(self.entrants)).astype(np.float64)
        return counts

    @cached_property
    def met(self) -> Integers:
        """In how many deals each entrant sat."""
        met: Integers = np.zeros(len(self.entrants), dtype=np.int64)
        for part in self.chunks():
            met += np.count_nonzero(part.appearances, axis=0)
        return met

    def sums(self, values: Floats | Integers) -> Floats:
        """Returns the sums of a value by seat, shape (games, players), by deal and entrant: (deals, entrants)."""
        size = len(self.deals) * len(self.entrants)
        sums = np.bincount(self.cells.ravel(), weights=values.ravel(), minlength=size)
        return np.asarray(sums, dtype=np.float64).reshape(len(self.deals), len(self.entrants))

    def games_apart(self) -> GroupGames:
        """Returns the games as if each had been played on its own deal, for errors per game to compare with."""
        games = len(self.deal)
        return replace(self, deals=tuple(map(str, range(games))), deal=np.arange(games, dtype=np.int64))

    def chosen(self, rows: Booleans) -> GroupGames:
        """Returns some of the games, with only their entrants and deals; `rows` is true for at least one game.

        Whole blocks stay whole when all games of a block are chosen, or none.
        """
        entrants, seats = np.unique(self.seats[rows], return_inverse=True)
        deals, deal = np.unique(self.deal[rows], return_inverse=True)
        return replace(
            self,
            entrants=tuple(self.entrants[number] for number in entrants.tolist()),
            deals=Names(Names.of(self.deals).encoded[deals]),
            seats=seats.reshape(-1, self.players).astype(self.seats.dtype),
            deal=deal.astype(self.deal.dtype),
            half_points=self.half_points[rows],
            places=self.places[rows],
            scores=self.scores[rows],
            forfeited=self.forfeited[rows],
        )

    def chunks(self) -> Iterator[GroupGames]:
        """Yields the games in chunks of whole deals, numbered anew in each, with integers that can be counted with."""
        return (part for part, _ in self.chunks_with(self.deal))

    def chunks_with(self, column: Column) -> Iterator[tuple[GroupGames, Column]]:
        """Yields the same chunks, each with its part of a column that has a row for each game."""
        if len(self.chunk_bounds) == 1:
            yield self._wide, column
            return
        for first, last in self.chunk_bounds:
            rows = self._rows(*np.searchsorted(self.deal, (first, last), sorter=self._by_deal).tolist())
            yield self._widened(rows, self.deals[first:last], first), column[rows]

    @cached_property
    def chunk_bounds(self) -> list[tuple[int, int]]:
        """The first deal of each chunk, and the one after its last."""
        cells = max(len(self.deals) * len(self.entrants), len(self.deal) * self.players**2 // 2)
        count = min(-(-cells // MOST_CELLS), len(self.deals)) or 1
        bounds = np.linspace(0, len(self.deals), count + 1).astype(np.int64).tolist()
        return list(pairwise(bounds))

    @cached_property
    def _by_deal(self) -> Integers | None:
        """The games sorted by deal; None where they are."""
        return None if bool((self.deal[1:] >= self.deal[:-1]).all()) else np.argsort(self.deal, kind="stable")

    def _rows(self, first: int, last: int) -> slice | Integers:
        return slice(first, last) if self._by_deal is None else self._by_deal[first:last]

    @cached_property
    def _wide(self) -> GroupGames:
        is_wide = all(one.dtype == np.int64 for one in (self.seats, self.deal, self.half_points, self.places))
        return self if is_wide and self.scores.dtype == np.int64 else self._widened(slice(None), self.deals, 0)

    def _widened(self, rows: slice | Integers, deals: Sequence[str], first: int) -> GroupGames:
        return replace(
            self,
            deals=deals,
            seats=self.seats[rows].astype(np.int64),
            deal=self.deal[rows].astype(np.int64) - first,
            half_points=self.half_points[rows].astype(np.int64),
            places=self.places[rows].astype(np.int64),
            scores=self.scores[rows].astype(np.int64),
            forfeited=self.forfeited[rows],
        )


def group_games(results: Iterable[GameResult]) -> GroupGames:
    """Returns the games of one group as arrays, sorted, so that the order of the results does not matter.

    Raises `RecordError` when there is no game, or games of several groups or numbers of players.
    """
    ordered = sorted(results, key=block_order)
    group, players = only_kind(set(map(attrgetter("group", "players"), ordered)))
    seated = list(map(attrgetter("seats"), ordered))
    entrants = tuple(sorted(set(chain.from_iterable(seated))))
    names = [result.block if result.deal is None else result.deal for result in ordered]
    deals = tuple(sorted(dict.fromkeys(names)))
    deal_number = {deal: number for number, deal in enumerate(deals)}
    seats = _rows(seated, {entrant: number for number, entrant in enumerate(entrants)})
    forfeited = np.zeros(seats.shape, dtype=np.bool_)
    for game, result in enumerate(ordered):
        if result.ending == Ending.ABORTED:
            forfeited[game] = True
        elif result.forfeits:
            forfeited[game, list(result.forfeits)] = True
    places = _rows(list(map(attrgetter("places"), ordered)))
    scores = chain.from_iterable(map(attrgetter("scores"), ordered))
    return GroupGames(
        group=group,
        players=players,
        entrants=entrants,
        deals=deals,
        seats=seats,
        deal=np.fromiter(map(deal_number.__getitem__, names), dtype=np.int64, count=len(names)),
        half_points=half_points_of(places, forfeited),
        places=places,
        scores=np.fromiter(scores, dtype=np.int64, count=seats.size).reshape(seats.shape),
        forfeited=forfeited,
    )


def only_kind(kinds: Iterable[tuple[str, int]]) -> tuple[str, int]:
    """Returns the only group and number of players of some games. Raises `RecordError` when there are none or more."""
    ordered = sorted(kinds)
    if len(ordered) != 1:
        found = ", ".join(f"{group} with {players} players" for group, players in ordered) or "no game at all"
        raise RecordError(f"One group is ranked at a time, but here is: {found}. Give the results of one group.")
    return ordered[0]


def half_points_of(places: Integers, forfeited: Booleans) -> Integers:
    """Returns twice the placement points of each seat, in units of 1 / (players - 1); a forfeited seat gets 0."""
    halves = np.full(places.shape, -1, dtype=places.dtype)  # a seat is tied with itself
    for seat in range(places.shape[1]):
        other = places[:, [seat]]
        below = places < other
        halves += below
        halves += below
        halves += places == other
    halves[forfeited] = 0
    return halves


def _rows(rows: Sequence[tuple[Any, ...]], number: Mapping[Any, int] | None = None) -> Integers:
    """Returns rows as an array, each value replaced by its `number` where that is given; fast where rows repeat."""
    place = {row: at for at, row in enumerate(dict.fromkeys(rows))}
    table = np.array([[number[value] for value in row] if number else row for row in place], dtype=np.int64)
    return table[np.fromiter(map(place.__getitem__, rows), dtype=np.int64, count=len(rows))]


def distinct(keys: Integers, *, bound: int) -> tuple[Integers, Integers, Integers]:
    """Returns the distinct keys, sorted, the place of each key among them, and how often each occurs.

    Keys are from 0 to bound - 1. Cost: a sort, or one pass where the keys are dense. A pass holds two numbers for each
    possible key, so where these are many it is taken only if the keys are as many.
    """
    if bound > min(8 * len(keys), max(len(keys), 4 * MOST_CELLS)):
        found, places, counts = np.unique(keys, return_inverse=True, return_counts=True)
        return found, places, counts
    occurrences = np.bincount(keys, minlength=bound)
    found = np.flatnonzero(occurrences)
    place_of_key = np.zeros(bound, dtype=np.int64)
    place_of_key[found] = np.arange(len(found))
    return found, place_of_key[keys], occurrences[found]


STRAY_BLOCKS: Final = 3
"""By so many blocks two entrants may meet more or less often than others: a balanced sample stays within it."""

_STRAY_SHARE: Final = 0.02


def meetings(games: GroupGames) -> Integers:
    """Returns in how many games each pair sat together, shape (entrants, entrants); the diagonal is 0."""
    size = len(games.entrants)
    met: Integers = np.zeros(size * size, dtype=np.int64)
    for part in games.chunks():
        cells = part.seats[:, :, None] * size + part.seats[:, None, :]
        met += np.bincount(cells.ravel(), minlength=size * size)
    met = met.reshape(size, size)
    np.fill_diagonal(met, 0)
    return met


def met_equally(games: GroupGames) -> bool:
    """Returns whether all entrants met each other about equally often, as in a round robin or a balanced sample.

    All entrants have to sit equally often, and all pairs have to meet equally often, up to a few blocks (a void block,
    a schedule that was cut) or 2 %. And the pairs that met more often have to lie scattered: two camps that never meet,
    or that only meet each other, are found even after so few blocks that no pair met often. Their meetings beyond the
    mean, as a matrix, have a larger eigenvalue than those of tables drawn at random.
    """
    size = len(games.entrants)
    if size < 3:
        return True
    blocks = meetings(games) / games.players
    sat = games.played / games.players
    if float(sat.max() - sat.min()) > max(STRAY_BLOCKS - 1, _STRAY_SHARE * float(sat.max())):
        return False
    others = ~np.eye(size, dtype=np.bool_)
    mean = float(blocks[others].mean())
    beyond = np.where(others, blocks - mean, 0.0)
    if float(np.abs(beyond).max()) > STRAY_BLOCKS + _STRAY_SHARE * mean:
        return False
    at_random = 2.0 * math.sqrt(float(sat.mean()) * (games.players - 1))
    return float(np.abs(np.linalg.eigvalsh(beyond)).max()) <= 1.0 + at_random


def pair_met_equally(games: GroupGames, entrant: str, opponent: str) -> bool:
    """Returns whether two entrants met each of their opponents equally often, up to 2 % of their meetings.

    The focus bots of a gauntlet do: their points in the field compare them, and nobody else.
    """
    first, second = games.entrants.index(entrant), games.entrants.index(opponent)
    blocks = np.delete(meetings(games)[[first, second]], [first, second], axis=1) / games.players
    return float(np.abs(blocks[0] - blocks[1]).sum()) <= _STRAY_SHARE * float(blocks.sum(axis=1).max(initial=0.0))


def others_met(before: GroupGames, after: GroupGames) -> frozenset[str]:
    """Returns which entrants of both rankings met other opponents after than before, or the same in other shares.

    Differences up to 2 % of the meetings, and those within a balanced sample, do not count.
    """
    common = frozenset(before.entrants) & frozenset(after.entrants)
    if before.entrants == after.entrants and met_equally(before) and met_equally(after):
        return frozenset()
    first, second = _shares_met(before), _shares_met(after)
    return frozenset(
        name
        for name in common
        if sum(abs(first[name].get(one, 0.0) - second[name].get(one, 0.0)) for one in first[name].keys() | second[name])
        > 2.0 * _STRAY_SHARE
    )


def _shares_met(games: GroupGames) -> dict[str, dict[str, float]]:
    """Returns for each entrant the share that each opponent has in its meetings."""
    met = meetings(games)
    shares = (met / np.maximum(met.sum(axis=1, keepdims=True), 1)).tolist()
    return {
        name: {other: share for other, share in zip(games.entrants, row, strict=True) if share}
        for name, row in zip(games.entrants, shares, strict=True)
    }


def mean_opposition(games: GroupGames, ratings: Floats | None) -> list[float | None]:
    """Returns for each entrant the mean rating of its opponents, counted game by game.

    None for an entrant that met nobody, and for all where there are no ratings.
    """
    if ratings is None:
        return [None] * len(games.entrants)
    met = meetings(games)
    totals = met.sum(axis=1)
    sums = met @ ratings
    return [float(value / total) if total else None for value, total in zip(sums, totals.tolist(), strict=True)]


def shared_deals(games: GroupGames, entrant: str, opponent: str) -> int:
    """Returns on how many deals two entrants sat at one table."""
    return len(np.unique(games.deal[_together(games, entrant, opponent)]))


def shared_games(games: GroupGames, entrant: str, opponent: str) -> GroupGames | None:
    """Returns the games in which two entrants sat at one table; None without any."""
    rows = _together(games, entrant, opponent)
    return games.chosen(rows) if rows.any() else None


def _together(games: GroupGames, entrant: str, opponent: str) -> Booleans:
    first, second = games.entrants.index(entrant), games.entrants.index(opponent)
    together: Booleans = (games.seats == first).any(axis=1) & (games.seats == second).any(axis=1)
    return together


class ResultGraph(NamedTuple):
    """How results join the entrants of a group; each entrant is in one class and in one part."""

    classes: tuple[tuple[str, ...], ...]
    """Entrants that have finite differences of strength among each other, the largest class first."""

    parts: tuple[tuple[str, ...], ...]
    """Entrants that a chain of games joins, whoever won them, the largest part first."""


def result_graph(games: GroupGames) -> ResultGraph:
    """Returns the classes and parts of a group. Cost: a few products of a matrix of entrants by entrants."""
    above = _at_least_level(games)
    onward = _reachable(above)
    return ResultGraph(
        classes=_components(onward & onward.T, games.entrants),
        parts=_components(_reachable(above | above.T), games.entrants),
    )


def in_every(partitions: list[tuple[tuple[str, ...], ...]], names: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Returns the finest common partition of names: together are those that are together in every partition."""
    number = [{name: at for at, members in enumerate(groups) for name in members} for groups in partitions]
    together: dict[tuple[int, ...], list[str]] = {}
    for name in names:
        together.setdefault(tuple(numbers[name] for numbers in number), []).append(name)
    return _sorted(together.values())


def _at_least_level(games: GroupGames) -> Booleans:
    """Returns a matrix that is true at [a, b] where a finished above or level with b in a game that counts."""
    size = len(games.entrants)
    above: Booleans = np.zeros((size, size), dtype=np.bool_)
    for part in games.chunks():
        counts = ~part.forfeited.all(axis=1)  # where everybody forfeited, nobody finished level with anybody
        seats, places = part.seats[counts], part.places[counts]
        for seat in range(games.players):
            for other in range(games.players):
                if seat != other:
                    ahead = places[:, seat] <= places[:, other]
                    above[seats[ahead, seat], seats[ahead, other]] = True
    return above


def _reachable(edges: Booleans) -> Booleans:
    """Returns the reflexive and transitive closure of some edges."""
    reached: Booleans = edges | np.eye(len(edges), dtype=np.bool_)
    while True:
        counts = reached.astype(np.float32)
        further: Booleans = counts @ counts > 0
        if (further == reached).all():
            return reached
        reached = further


def _components(together: Booleans, names: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Returns the classes of an equivalence relation."""
    first: Integers = together.argmax(axis=1)
    return _sorted([[names[at] for at in np.flatnonzero(first == one).tolist()] for one in np.unique(first).tolist()])


def _sorted(groups: Iterable[Iterable[str]]) -> tuple[tuple[str, ...], ...]:
    return tuple(sorted((tuple(sorted(names)) for names in groups), key=lambda names: (-len(names), names)))
