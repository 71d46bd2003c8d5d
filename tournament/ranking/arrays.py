"""The games of one group as arrays: what every vectorised figure starts from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tournament.errors import RecordError
from tournament.games.contract import Ending
from tournament.ranking.results import block_order
from tournament.records.results import GameResult

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Booleans = NDArray[np.bool_]


@dataclass(frozen=True, eq=False, kw_only=True)
class GroupGames:
    """The games of one group: arrays of shape (games, players) by seat, in an order that results alone decide."""

    group: str
    players: int
    entrants: tuple[str, ...]
    """Sorted by name; `seats` points into it."""

    deals: tuple[str, ...]
    """Sorted; `deal` points into it."""

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

    def sums(self, values: Floats | Integers) -> Floats:
        """Returns the sums of a value by seat, shape (games, players), as a table of deals by entrants."""
        size = len(self.deals) * len(self.entrants)
        sums = np.bincount(self.cells.ravel(), weights=values.ravel(), minlength=size)
        return np.asarray(sums, dtype=np.float64).reshape(len(self.deals), len(self.entrants))

    def games_apart(self) -> GroupGames:
        """Returns the same games as if each had been played on its own deal: errors per game, to compare with."""
        games = len(self.deal)
        return replace(self, deals=tuple(map(str, range(games))), deal=np.arange(games, dtype=np.int64))

    def chosen(self, rows: Booleans) -> GroupGames:
        """Returns some of the games, with the entrants and the deals that they have; `rows` is true for at least one.

        Whole blocks stay whole when all games of a block are chosen or none.
        """
        entrants, seats = np.unique(self.seats[rows], return_inverse=True)
        deals, deal = np.unique(self.deal[rows], return_inverse=True)
        return replace(
            self,
            entrants=tuple(self.entrants[number] for number in entrants.tolist()),
            deals=tuple(self.deals[number] for number in deals.tolist()),
            seats=seats.reshape(-1, self.players).astype(np.int64),
            deal=deal.astype(np.int64),
            half_points=self.half_points[rows],
            places=self.places[rows],
            scores=self.scores[rows],
            forfeited=self.forfeited[rows],
        )


def group_games(results: Sequence[GameResult], *, whole: bool = False) -> GroupGames:
    """Returns the games of one group as arrays, sorted, so that the order given does not matter.

    `whole` says that the results come from `whole_blocks`: sorted, and the seats of a block known from one game.

    Raises `RecordError` when there is no game, or games of several groups or numbers of players.
    """
    kinds = sorted(set(map(attrgetter("group", "players"), results)))
    if len(kinds) != 1:
        found = ", ".join(f"{group} with {players} players" for group, players in kinds) or "no game at all"
        raise RecordError(f"One group is ranked at a time, but here is: {found}. Give the results of one group.")
    (group, players) = kinds[0]
    ordered = results if whole else sorted(results, key=block_order)
    heads = ordered[::players] if whole else ordered
    seated = list(map(attrgetter("seats"), heads))
    entrants = tuple(sorted(set(chain.from_iterable(seated))))
    names = [result.block if result.deal is None else result.deal for result in heads]
    deals = tuple(sorted(dict.fromkeys(names)))
    deal_number = {deal: number for number, deal in enumerate(deals)}
    seats = _rows(seated, {entrant: number for number, entrant in enumerate(entrants)})
    deal = np.fromiter(map(deal_number.__getitem__, names), dtype=np.int64, count=len(names))
    if whole:
        seats = np.stack([np.roll(seats, -rotation, axis=1) for rotation in range(players)], axis=1)
        seats, deal = seats.reshape(-1, players), np.repeat(deal, players)
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
        deal=deal,
        half_points=_half_points(places, forfeited),
        places=places,
        scores=np.fromiter(scores, dtype=np.int64, count=seats.size).reshape(seats.shape),
        forfeited=forfeited,
    )


def _half_points(places: Integers, forfeited: Booleans) -> Integers:
    """Returns `half_points` of all games at once."""
    halves = np.full(places.shape, -1, dtype=np.int64)  # a seat is tied with itself
    for seat in range(places.shape[1]):
        other = places[:, [seat]]
        halves += 2 * (places < other) + (places == other)
    halves[forfeited] = 0
    return halves


def _rows(rows: Sequence[tuple[Any, ...]], number: Mapping[Any, int] | None = None) -> Integers:
    """Returns rows as an array, `number` being what each value stands as; quick where rows repeat."""
    place = {row: at for at, row in enumerate(dict.fromkeys(rows))}
    table = np.array([[number[value] for value in row] if number else row for row in place], dtype=np.int64)
    return table[np.fromiter(map(place.__getitem__, rows), dtype=np.int64, count=len(rows))]


def distinct(keys: Integers, *, bound: int) -> tuple[Integers, Integers, Integers]:
    """Returns the distinct keys, sorted, the place of each key among them, and how often each occurs.

    Keys are in 0 to bound - 1. Cost: a sort, or no more than reading them when they are dense.
    """
    if bound > 8 * len(keys):
        found, places, counts = np.unique(keys, return_inverse=True, return_counts=True)
        return found, places, counts
    occurrences = np.bincount(keys, minlength=bound)
    found = np.flatnonzero(occurrences)
    place_of_key = np.zeros(bound, dtype=np.int64)
    place_of_key[found] = np.arange(len(found))
    return found, place_of_key[keys], occurrences[found]
