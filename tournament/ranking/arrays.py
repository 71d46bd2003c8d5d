"""The games of one group as arrays: what every vectorised figure starts from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from tournament.errors import RecordError
from tournament.ranking.results import ABORTED, GameResult, block_order, half_points

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
        return replace(self, deals=tuple(str(game) for game in range(games)), deal=np.arange(games, dtype=np.int64))


def group_games(results: Sequence[GameResult], *, is_sorted: bool = False) -> GroupGames:
    """Returns the games of one group as arrays, sorted, so that the order given does not matter.

    `is_sorted` saves the sort when the results come from `whole_blocks`.

    Raises `RecordError` when there is no game, or games of several groups or numbers of players.
    """
    kinds = sorted({(result.group, result.players) for result in results})
    if len(kinds) != 1:
        found = ", ".join(f"{group} with {players} players" for group, players in kinds) or "no game at all"
        raise RecordError(f"One group is ranked at a time, but here is: {found}. Give the results of one group.")
    (group, players) = kinds[0]
    ordered = results if is_sorted else sorted(results, key=block_order)
    entrants = tuple(sorted(set(chain.from_iterable(result.entrants for result in ordered))))
    names = [result.block if result.deal is None else result.deal for result in ordered]
    deals = tuple(sorted(set(names)))
    entrant_number = {entrant: number for number, entrant in enumerate(entrants)}
    deal_number = {deal: number for number, deal in enumerate(deals)}
    forfeited = np.zeros((len(ordered), players), dtype=np.bool_)
    for game, result in enumerate(ordered):
        if result.ending == ABORTED:
            forfeited[game] = True
        elif result.forfeits:
            forfeited[game, list(result.forfeits)] = True
    shape = (len(ordered), players)
    return GroupGames(
        group=group,
        players=players,
        entrants=entrants,
        deals=deals,
        seats=_table((map(entrant_number.__getitem__, result.entrants) for result in ordered), shape),
        deal=np.fromiter(map(deal_number.__getitem__, names), dtype=np.int64, count=len(names)),
        half_points=_table((half_points(game.places, game.forfeits, game.ending) for game in ordered), shape),
        places=_table((result.places for result in ordered), shape),
        scores=_table((result.scores for result in ordered), shape),
        forfeited=forfeited,
    )


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


def _table(rows: Iterable[Iterable[int]], shape: tuple[int, int]) -> Integers:
    return np.fromiter(chain.from_iterable(rows), dtype=np.int64, count=shape[0] * shape[1]).reshape(shape)
