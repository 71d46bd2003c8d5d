"""What one game gave, as the ranking sees it, and which games count.

Nothing here needs numpy, so that a reader of records can make results cheaply.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from operator import attrgetter, itemgetter

import msgspec

from tournament.records.standings import LeftOut, Reason

ABORTED = "aborted"
"""The ending of a game in which every seat forfeited."""


class GameResult(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One finished game, with everything a ranking needs and nothing else. Tuples go by seat."""

    group: str
    """Such as `scout-4p`; all games of a group have the same number of players."""

    game: str
    players: int
    block: str
    """Equal for all rotations of one block and for no other game that is ranked together with them."""

    rotation: int
    entrants: tuple[str, ...]
    scores: tuple[int, ...]
    places: tuple[int, ...]
    forfeits: tuple[int, ...]
    """Seats that forfeited."""

    faults: tuple[tuple[int, str], ...]
    """Pairs of a seat and the kind of its fault."""

    ending: str
    digest: str
    deal: str | None = None
    """The name of the deal when several blocks were played on it (runs on one suite); None: the block has its own."""


class Selection(msgspec.Struct, frozen=True, kw_only=True):
    """The games that count, sorted, and what was left out."""

    results: tuple[GameResult, ...]
    left_out: tuple[LeftOut, ...]


@lru_cache(maxsize=65536)  # a few hundred patterns of places make up a tournament
def half_points(places: tuple[int, ...], forfeits: tuple[int, ...], ending: str) -> tuple[int, ...]:
    """Returns by seat h = 2 * (seats beaten) + (seats tied); placement points are h / (2 * (players - 1)).

    A forfeited seat, and every seat of an aborted game, gets 0.
    """
    if ending == ABORTED:
        return (0,) * len(places)
    return tuple(
        0 if seat in forfeits else 2 * sum(place < other for other in places) + places.count(place) - 1
        for seat, place in enumerate(places)
    )


def block_order(result: GameResult) -> tuple[str, int, str, int, str]:
    """Returns the key that sorts results by group, block, rotation; numbers longer than their padding stay in order."""
    return result.group, len(result.block), result.block, result.rotation, result.digest


def whole_blocks(results: Iterable[GameResult]) -> Selection:
    """Returns the games of whole blocks, each game once, in an order that does not depend on the order given.

    A block counts when all its rotations are there, once each, with the seats rotated as they should be.
    Cost: a sort.
    """
    kept: list[GameResult] = []
    left_out: list[LeftOut] = []
    given = list(results)
    if len(set(map(attrgetter("digest"), given))) < len(given):
        given, left_out = _without_duplicates(given)
    blocks: defaultdict[tuple[str, int, str], list[GameResult]] = defaultdict(list)
    for result in given:
        blocks[result.group, len(result.block), result.block].append(result)
    for (group, _, block), games in sorted(blocks.items(), key=itemgetter(0)):
        games.sort(key=attrgetter("rotation"))
        reason = _trouble(games)
        if reason is None:
            kept += games
        else:
            left_out.append(LeftOut(group=group, block=block, games=len(games), reason=reason))
    left_out.sort(key=attrgetter("group", "block", "reason"))
    return Selection(results=tuple(kept), left_out=tuple(left_out))


def _without_duplicates(results: Iterable[GameResult]) -> tuple[list[GameResult], list[LeftOut]]:
    fresh: dict[str, GameResult] = {}
    duplicates: Counter[tuple[str, str]] = Counter()
    for result in sorted(results, key=block_order):
        if result.digest in fresh:
            duplicates[result.group, result.block] += 1
        else:
            fresh[result.digest] = result
    left_out = [
        LeftOut(group=group, block=block, games=games, reason=Reason.DUPLICATE)
        for (group, block), games in duplicates.items()
    ]
    return list(fresh.values()), left_out


def _trouble(block: Sequence[GameResult]) -> Reason | None:
    """Returns why a block, sorted by rotation, does not count; None when it does."""
    first = block[0]
    tables = _rotated(first.entrants, first.rotation)
    rotations = [game.rotation for game in block]
    if rotations == list(range(first.players)) and [game.entrants for game in block] == tables:
        return None
    fitting = {(rotation, table) for rotation, table in enumerate(tables)}
    if len(set(rotations)) < len(block) or not {(game.rotation, game.entrants) for game in block} <= fitting:
        return Reason.CLASH
    return Reason.HALF_BLOCK


@lru_cache(maxsize=65536)
def _rotated(entrants: tuple[str, ...], rotation: int) -> list[tuple[str, ...]]:
    """Returns the seats in all rotations of a block, from one of them."""
    size = len(entrants)
    back = size - rotation
    twice = 2 * (entrants[back:] + entrants[:back])
    return [twice[number : number + size] for number in range(size)]


def without_entrants(results: Iterable[GameResult], names: Collection[str]) -> list[GameResult]:
    """Returns the results of the tables at which none of these entrants sat."""
    return [result for result in results if not any(entrant in names for entrant in result.entrants)]


def without_forfeits(results: Iterable[GameResult]) -> list[GameResult]:
    """Returns the results of the blocks in which no seat forfeited any game: whole blocks stay whole."""
    results = list(results)
    spoilt = {result.block for result in results if result.forfeits}
    return [result for result in results if result.block not in spoilt]
