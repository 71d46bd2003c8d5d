"""What is kept of each entrant's own games: its best wins, its worst losses and its first faults.

Results are taken one by one. A few of each kind are kept for each entrant and group, however many games there are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from heapq import heappush, heapreplace
from typing import Final

import msgspec

from tournament.games.contract import Ending
from tournament.ids import group_of
from tournament.records.results import ResultLine

NOTABLE_GAMES: Final = 3
"""How many of its best wins, and of its worst losses, are kept for each entrant and group."""

OWN_FAULTS: Final = 10
"""How many faults are kept for each entrant."""


class OwnGame(msgspec.Struct, frozen=True, kw_only=True):
    """One game, seen from a seat of it."""

    result: ResultLine
    seat: int
    lead: int
    """By how many points the seat was ahead of the best other one; negative where it was behind it."""


class OwnFault(msgspec.Struct, frozen=True, kw_only=True):
    """One fault in a game."""

    result: ResultLine
    number: int
    """Its place among the faults of the game."""


class Profile(msgspec.Struct, frozen=True, kw_only=True):
    """The games of one entrant that its page shows."""

    best: dict[str, tuple[OwnGame, ...]]
    """Its widest wins by group, the widest first: games in which nobody else shared its place."""

    worst: dict[str, tuple[OwnGame, ...]]
    """Its widest losses by group, the widest first: games in which somebody had a better place.

    Games with a forfeit are in neither list.
    """

    faults: tuple[OwnFault, ...]
    """Its first faults, in the order of the run."""


class ProfileCollector:
    """Takes the results of a run as they come, and keeps what the profiles of its entrants need."""

    def __init__(self) -> None:
        self._number = 0
        self._best: defaultdict[tuple[str, str], _Widest] = defaultdict(_Widest)
        self._worst: defaultdict[tuple[str, str], _Widest] = defaultdict(_Widest)
        self._faults: defaultdict[str, list[OwnFault]] = defaultdict(list)

    def followed(self, results: Iterable[ResultLine]) -> Iterator[ResultLine]:
        """Yields the results, and takes them."""
        for result in results:
            self.add(result)
            yield result

    def add(self, result: ResultLine) -> None:
        """Takes the next result."""
        self._number += 1
        for number, (seat, _) in enumerate(result.faults):
            own = self._faults[result.seats[seat]]
            if len(own) < OWN_FAULTS:
                own.append(OwnFault(result=result, number=number))
        if result.forfeits or result.ending == Ending.ABORTED or len(result.scores) < 2:
            return
        group = group_of(result.id)
        second, first = sorted(result.scores)[-2:]
        has_winner = result.places.count(1) == 1  # a game that was stopped places nobody above anybody
        for seat, (name, score, place) in enumerate(zip(result.seats, result.scores, result.places, strict=True)):
            if place > 1:
                self._worst[name, group].add(first - score, self._number, result, seat)
            elif has_winner:
                self._best[name, group].add(score - second, self._number, result, seat)

    def profiles(self, entrants: Iterable[str]) -> dict[str, Profile]:
        """Returns the profile of each entrant by its name, also of one without a game."""
        best, worst = _by_entrant(self._best, sign=1), _by_entrant(self._worst, sign=-1)
        return {
            name: Profile(best=best.get(name, {}), worst=worst.get(name, {}), faults=tuple(self._faults.get(name, ())))
            for name in entrants
        }


class _Widest:
    """The games with the widest margins, of equal ones the first."""

    __slots__ = ("games",)

    def __init__(self) -> None:
        self.games: list[tuple[int, int, ResultLine, int]] = []

    def add(self, margin: int, number: int, result: ResultLine, seat: int) -> None:
        games = self.games
        if len(games) < NOTABLE_GAMES:
            heappush(games, (margin, -number, result, seat))
        elif margin > games[0][0]:
            heapreplace(games, (margin, -number, result, seat))


def _by_entrant(found: dict[tuple[str, str], _Widest], *, sign: int) -> dict[str, dict[str, tuple[OwnGame, ...]]]:
    by_entrant: defaultdict[str, dict[str, tuple[OwnGame, ...]]] = defaultdict(dict)
    for (name, group), widest in sorted(found.items(), key=lambda item: item[0]):
        by_entrant[name][group] = tuple(
            OwnGame(result=result, seat=seat, lead=sign * margin)
            for margin, _, result, seat in sorted(widest.games, key=lambda game: (-game[0], -game[1]))
        )
    return dict(by_entrant)
