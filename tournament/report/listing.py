"""What a report counts of the games of a run, and which of them it shows, from one pass over the results each."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from hashlib import sha256
from heapq import heappush, heapreplace
from itertools import islice, zip_longest
from operator import itemgetter
from pathlib import Path
from typing import Final

import msgspec

from tournament.ids import group_of, within_group
from tournament.ranking.compact.profiles import Profile
from tournament.records.record import FaultKind
from tournament.records.results import ResultLine, has_record
from tournament.records.run import RunInfo
from tournament.records.settings import KEEP_ALL
from tournament.store.results import read_results

ALL_GAMES: Final = 120
"""The report of a run with at most this many games includes all of them."""

FAULTY_GAMES: Final = 60
GAMES_OF_A_KIND: Final = 8
"""How many of the closest games, of the widest games and of the sample are included for each group."""

MOST_NOTABLE: Final = 240
"""How many games are included because the page of a bot shows them."""

CHUNK_GAMES: Final = 5000
"""How many games are listed in one file."""


class ShownFor(StrEnum):
    """Why a report includes a game."""

    ANALYSED = "analysed"
    FAULT = "fault"
    CLOSEST = "closest"
    WIDEST = "widest"
    SAMPLE = "sample"
    NOTABLE = "notable"
    """It is among the best wins or the worst losses of a bot."""


class ChosenGame(msgspec.Struct, frozen=True, kw_only=True):
    """A game that a report includes, and why."""

    result: ResultLine
    why: tuple[ShownFor, ...]


def choose_games(
    results: Iterable[ResultLine],
    *,
    games: Mapping[str, int],
    analysed: Collection[str] = (),
    notable: Collection[str] = (),
) -> dict[str, ChosenGame]:
    """Returns by id the games that a report includes, in the order of the run.

    The report of a long run stays small. It includes the first games with a fault, the closest and the widest games
    and an even sample of each group, the games with an analysis, and those that pages of bots show; of all others it
    has one line to search. `games` is how many games each group has.
    """
    found: dict[int, tuple[ResultLine, list[ShownFor]]] = {}
    groups = {group: _Extremes() for group in games}
    is_short = sum(games.values()) <= ALL_GAMES
    seen: Counter[str] = Counter()
    faulty = 0
    for number, result in enumerate(results):
        group = group_of(result.id)
        why = [ShownFor.ANALYSED] if result.id in analysed else []
        if result.id in notable:
            why.append(ShownFor.NOTABLE)
        if result.faults and faulty < FAULTY_GAMES:
            faulty += 1
            why.append(ShownFor.FAULT)
        if not result.forfeits:
            groups[group].add(number, result)
        step = max(1, games[group] // GAMES_OF_A_KIND)
        is_sampled = is_short or (seen[group] % step == 0 and seen[group] // step < GAMES_OF_A_KIND)
        seen[group] += 1
        if why or is_sampled:
            found[number] = result, [*why, *((ShownFor.SAMPLE,) if is_sampled else ())]
    for extremes in groups.values():
        for kind, games_of_kind in ((ShownFor.WIDEST, extremes.widest), (ShownFor.CLOSEST, extremes.closest)):
            for _, order, result in games_of_kind:
                _, why = found.setdefault(abs(order), (result, []))
                why.append(kind)
    return {
        result.id: ChosenGame(result=result, why=tuple(sorted(why, key=list(ShownFor).index)))
        for _, (result, why) in sorted(found.items(), key=itemgetter(0))
    }


def notable_games(profiles: Iterable[Profile]) -> frozenset[str]:
    """Returns the ids of the games that pages of bots show, at most `MOST_NOTABLE`: of each bot its widest first."""
    lists = [games for profile in profiles for own in (profile.best, profile.worst) for games in own.values()]
    ids = (game.result.id for games in zip_longest(*lists) for game in games if game is not None)
    return frozenset(islice(dict.fromkeys(ids), MOST_NOTABLE))


class _Extremes:
    """The closest and the widest games of a group, of equal ones the first and the last."""

    def __init__(self) -> None:
        self.closest: list[tuple[int, int, ResultLine]] = []
        self.widest: list[tuple[int, int, ResultLine]] = []

    def add(self, number: int, result: ResultLine) -> None:
        ahead = result.lead
        for kept, one in ((self.closest, (-ahead, -number, result)), (self.widest, (ahead, number, result))):
            if len(kept) < GAMES_OF_A_KIND:
                heappush(kept, one)
            elif one > kept[0]:
                heapreplace(kept, one)


class Chunk(msgspec.Struct, frozen=True, kw_only=True):
    """Some successive games of a group, each as one short text."""

    group: str
    entrants: tuple[str, ...]
    games: tuple[str, ...]
    """Such as `0.000003.1;2,0;26,-1;1,2;F`: the id without its group, for each seat the number of its entrant, the
    scores, the places, F if there was a fault, and N if its record was not kept."""


def chunks(
    results: Iterable[ResultLine], *, entrants: Mapping[str, Sequence[str]], keep: str = KEEP_ALL
) -> Iterator[Chunk]:
    """Yields all games of a run, at most `CHUNK_GAMES` of a group at a time; `entrants` are those of each group.

    `keep` says whose records the run keeps.
    """
    numbers = {group: {name: place for place, name in enumerate(names)} for group, names in entrants.items()}
    waiting: dict[str, list[str]] = {group: [] for group in entrants}
    for result in results:
        group = group_of(result.id)
        waiting[group].append(_short(result, numbers[group], keep))
        if len(waiting[group]) == CHUNK_GAMES:
            yield Chunk(group=group, entrants=tuple(entrants[group]), games=tuple(waiting[group]))
            waiting[group] = []
    for group, games in waiting.items():
        if games:
            yield Chunk(group=group, entrants=tuple(entrants[group]), games=tuple(games))


def _short(result: ResultLine, number: dict[str, int], keep: str) -> str:
    fields = (
        within_group(result.id),
        ",".join(str(number[name]) for name in result.seats),
        ",".join(map(str, result.scores)),
        ",".join(map(str, result.places)),
        f"{'F' if result.faults else ''}{'' if has_record(result, keep=keep) else 'N'}",
    )
    return ";".join(fields)


DETAILED_FAULTS: Final = 200
"""How many faults are shown in full; each kind gets the same share."""


class ResultsRead(Collection[ResultLine]):
    """The results of a run as it was, read from its folder each time they are gone through."""

    def __init__(self, folder: Path, games: int) -> None:
        """Takes how many there were: a run that is still played has more by now."""
        self._folder = folder
        self._games = games

    def __len__(self) -> int:
        return self._games

    def __iter__(self) -> Iterator[ResultLine]:
        return islice(read_results(self._folder), self._games)

    def __contains__(self, result: object) -> bool:
        return any(one == result for one in self)


class Tally:
    """What a report counts of all results."""

    def __init__(self, info: RunInfo, *, asked: Collection[str]) -> None:
        """Takes a run, and ids of games, to say which of them are there."""
        self._out = {one.entrant for one in info.disqualified}
        self._asked = asked
        self.known: set[str] = set()
        self.games: Counter[str] = Counter()
        self.entrants: defaultdict[str, dict[str, None]] = defaultdict(dict)
        self.of_segment: Counter[int] = Counter()
        self.counting: set[int] = set()
        """The segments with a game at which nobody sat who is disqualified."""

        self.fault_counts: Counter[str] = Counter()
        self.faults: defaultdict[FaultKind, list[tuple[ResultLine, int]]] = defaultdict(list)
        """The first of each kind."""

        self.digest = sha256()

    def followed(self, results: Iterable[ResultLine]) -> Iterator[ResultLine]:
        """Yields the results, and counts them."""
        for result in results:
            group = group_of(result.id)
            self.games[group] += 1
            segment = result.segment
            self.of_segment[segment] += 1
            if segment not in self.counting and self._out.isdisjoint(result.seats):
                self.counting.add(segment)
            self.entrants[group].update(dict.fromkeys(result.seats))
            self.digest.update(f"{result.digest}\n".encode())
            if result.id in self._asked:
                self.known.add(result.id)
            for number, (_, kind) in enumerate(result.faults):
                self.fault_counts[kind] += 1
                if len(self.faults[kind]) < DETAILED_FAULTS:
                    self.faults[kind].append((result, number))
            yield result
