"""Which games a report carries in full, and all of them in short.

A report of a long run stays small: it carries every game with a fault up to a number, the closest
and the widest games and an even sample of each group, those with an analysis, and of every game one
short line to search.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from enum import StrEnum
from typing import Final

import msgspec

from tournament.ids import group_of, within_group
from tournament.records.results import ResultLine

ALL_GAMES: Final = 120
"""A run of so many games has all of them in its report."""

FAULTY_GAMES: Final = 60
GAMES_OF_A_KIND: Final = 8
"""Of the closest and the widest games and of the sample, in each group."""

CHUNK_GAMES: Final = 5000
"""So many games stand in one file of the list."""


class ShownFor(StrEnum):
    """Why a game is in a report."""

    ANALYSED = "analysed"
    FAULT = "fault"
    CLOSEST = "closest"
    WIDEST = "widest"
    SAMPLE = "sample"


def choose_games(results: Sequence[ResultLine], *, analysed: Collection[str] = ()) -> dict[str, tuple[ShownFor, ...]]:
    """Returns by id, in the order of the run, the games that a report carries and why; the same for the same run."""
    reasons: defaultdict[str, list[ShownFor]] = defaultdict(list)
    for record_id in analysed:
        reasons[record_id].append(ShownFor.ANALYSED)
    for result in [result for result in results if result.faults][:FAULTY_GAMES]:
        reasons[result.id].append(ShownFor.FAULT)
    by_group: defaultdict[str, list[ResultLine]] = defaultdict(list)
    for result in results:
        by_group[group_of(result.id)].append(result)
    for members in by_group.values():
        fair = sorted((result for result in members if not result.forfeits), key=lead)
        for result in fair[:GAMES_OF_A_KIND]:
            reasons[result.id].append(ShownFor.CLOSEST)
        for result in fair[::-1][:GAMES_OF_A_KIND]:
            reasons[result.id].append(ShownFor.WIDEST)
        everything = len(results) <= ALL_GAMES
        for result in members if everything else members[:: max(1, len(members) // GAMES_OF_A_KIND)][:GAMES_OF_A_KIND]:
            reasons[result.id].append(ShownFor.SAMPLE)
    return {result.id: tuple(reasons[result.id]) for result in results if result.id in reasons}


def lead(result: ResultLine) -> int:
    """Returns by how many points the best was ahead of the next."""
    best, second = sorted(result.scores, reverse=True)[:2] if len(result.scores) > 1 else (0, 0)
    return best - second


class Chunk(msgspec.Struct, frozen=True, kw_only=True):
    """Some games of a group, one after the other, one short text each."""

    group: str
    entrants: tuple[str, ...]
    games: tuple[str, ...]
    """`0.000003.1;2,0;26,-1;1,2;F`: the id behind its group, who sat where by number, scores, places, F for a fault."""


def chunks(results: Sequence[ResultLine]) -> Iterator[Chunk]:
    """Yields all games of a run, in files of at most `CHUNK_GAMES`, group by group."""
    by_group: defaultdict[str, list[ResultLine]] = defaultdict(list)
    for result in results:
        by_group[group_of(result.id)].append(result)
    for group, members in by_group.items():
        entrants = tuple(dict.fromkeys(name for result in members for name in result.seats))
        number = {name: place for place, name in enumerate(entrants)}
        for begin in range(0, len(members), CHUNK_GAMES):
            part = members[begin : begin + CHUNK_GAMES]
            yield Chunk(group=group, entrants=entrants, games=tuple(_short(result, number) for result in part))


def _short(result: ResultLine, number: dict[str, int]) -> str:
    fields = (
        within_group(result.id),
        ",".join(str(number[name]) for name in result.seats),
        ",".join(map(str, result.scores)),
        ",".join(map(str, result.places)),
        "F" if result.faults else "",
    )
    return ";".join(fields)
