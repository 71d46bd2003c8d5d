"""Who can be compared with whom: the graph of wins and ties.

Strengths have finite differences exactly when every group of entrants finished above, or level with, somebody outside
it at least once (Hunter, Annals of Statistics 32, 2004): when the graph is strongly connected. A fit with a prior
cannot be asked, because a prior makes every difference finite.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from tournament.ranking.arrays import Booleans, GroupGames, Integers


class ResultGraph(NamedTuple):
    """How results join the entrants of a group; each entrant stands in one class and in one part."""

    classes: tuple[tuple[str, ...], ...]
    """Entrants with finite differences of strength among each other, the largest class first."""

    parts: tuple[tuple[str, ...], ...]
    """Entrants that some chain of games joins, whoever won them, the largest part first."""


def connection_of(games: GroupGames) -> ResultGraph:
    """Returns the classes and parts of a group. Cost: a few products of a matrix of entrants by entrants."""
    above = _at_least_level(games)
    onward = _reachable(above)
    return ResultGraph(
        classes=_components(onward & onward.T, games.entrants),
        parts=_components(_reachable(above | above.T), games.entrants),
    )


def in_every(partitions: list[tuple[tuple[str, ...], ...]], names: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Returns the finest common partition of some names: together are those that stand together in every partition."""
    number = [{name: at for at, members in enumerate(groups) for name in members} for groups in partitions]
    together: dict[tuple[int, ...], list[str]] = {}
    for name in names:
        together.setdefault(tuple(numbers[name] for numbers in number), []).append(name)
    return _sorted(together.values())


def _at_least_level(games: GroupGames) -> Booleans:
    """Returns a matrix that is true at [a, b] where a finished above b, or level with it, in some game that counts."""
    size = len(games.entrants)
    counts = ~games.forfeited.all(axis=1)  # where everybody forfeited, nobody finished level with anybody
    seats, places = games.seats[counts], games.places[counts]
    above: Booleans = np.zeros((size, size), dtype=np.bool_)
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
