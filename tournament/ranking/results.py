"""What one game gave, as the ranking sees it, and which games count.

Nothing here needs numpy, so that a reader of records can make results cheaply.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import lru_cache
from itertools import groupby

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
    seen: set[str] = set()
    for (group, block), games in groupby(
        sorted(results, key=block_order), key=lambda result: (result.group, result.block)
    ):
        fresh: list[GameResult] = []
        duplicates = 0
        for result in games:
            if result.digest in seen:
                duplicates += 1
            else:
                seen.add(result.digest)
                fresh.append(result)
        if duplicates:
            left_out.append(LeftOut(group=group, block=block, games=duplicates, reason=Reason.DUPLICATE))
        if not fresh:
            continue
        reason = _trouble(fresh)
        if reason is None:
            kept.extend(fresh)
        else:
            left_out.append(LeftOut(group=group, block=block, games=len(fresh), reason=reason))
    return Selection(results=tuple(kept), left_out=tuple(left_out))


def _trouble(block: list[GameResult]) -> Reason | None:
    first = block[0]
    rotations = [result.rotation for result in block]
    if len(set(rotations)) < len(rotations) or not set(rotations) <= set(range(first.players)):
        return Reason.CLASH
    back = first.players - first.rotation
    twice = 2 * (first.entrants[back:] + first.entrants[:back])
    for result in block:
        if result.entrants != twice[result.rotation : result.rotation + first.players]:
            return Reason.CLASH
    return None if len(block) == first.players else Reason.HALF_BLOCK


def without_entrants(results: Iterable[GameResult], names: Collection[str]) -> list[GameResult]:
    """Returns the results of the tables at which none of these entrants sat."""
    return [result for result in results if not any(entrant in names for entrant in result.entrants)]


def without_forfeits(results: Iterable[GameResult]) -> list[GameResult]:
    """Returns the results of the blocks in which no seat forfeited any game: whole blocks stay whole."""
    results = list(results)
    spoilt = {result.block for result in results if result.forfeits}
    return [result for result in results if result.block not in spoilt]
