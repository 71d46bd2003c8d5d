"""Which games count: the results of a run or of records, whole blocks, each game once.

Nothing here needs numpy, so that results are read cheaply.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from operator import attrgetter, itemgetter
from pathlib import Path
from typing import cast

import msgspec

from tournament.ids import group_of
from tournament.records.codec import AnyRecord
from tournament.records.results import GameResult, ResultLine, result_line
from tournament.records.run import RunInfo
from tournament.records.standings import LeftOut, Reason
from tournament.store.reader import ShortRecord
from tournament.store.results import read_results


class Selection(msgspec.Struct, frozen=True, kw_only=True):
    """The games that count, sorted, and what was left out."""

    results: tuple[GameResult, ...]
    left_out: tuple[LeftOut, ...]


def block_order(result: GameResult) -> tuple[str, int, str, int, str]:
    """Returns the key that sorts results by group, block and rotation; block numbers of any length stay in order."""
    return result.group, len(result.block), result.block, result.rotation, result.digest


def whole_blocks(results: Iterable[GameResult]) -> Selection:
    """Returns the games of whole blocks, each game once, in an order that does not depend on the order given.

    A block counts when each of its rotations is there once, with the seats rotated as they should be. Cost: a sort.
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


def is_whole(block: Sequence[GameResult]) -> bool:
    """Returns whether games are a whole block, sorted by rotation."""
    return _trouble(block) is None


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
    tables = _rotated(first.seats, first.rotation)
    rotations = [game.rotation for game in block]
    if rotations == list(range(first.players)) and [game.seats for game in block] == tables:
        return None
    fitting = {(rotation, table) for rotation, table in enumerate(tables)}
    if len(set(rotations)) < len(block) or not {(game.rotation, game.seats) for game in block} <= fitting:
        return Reason.CLASH
    return Reason.HALF_BLOCK


def _rotated(entrants: tuple[str, ...], rotation: int) -> list[tuple[str, ...]]:
    """Returns the seats in all rotations of a block, from those in one rotation."""
    size = len(entrants)
    back = size - rotation
    twice = 2 * (entrants[back:] + entrants[:back])
    return [twice[number : number + size] for number in range(size)]


def without_entrants(results: Iterable[GameResult], names: Collection[str]) -> Iterator[GameResult]:
    """Yields the results of the tables at which none of these entrants sat."""
    return (result for result in results if not any(entrant in names for entrant in result.seats))


def without_forfeits(results: Iterable[GameResult]) -> list[GameResult]:
    """Returns the results of the blocks in which no seat forfeited any game: whole blocks stay whole."""
    results = list(results)
    spoilt = {result.block for result in results if result.forfeits}
    return [result for result in results if result.block not in spoilt]


def result_from_record(record: AnyRecord | ShortRecord) -> GameResult:
    """Returns the result of a record."""
    # A short record has all that a result takes; to say so in its type records would import each other in a circle.
    return GameResult.from_line(result_line(cast(AnyRecord, record)), game=record.game.name)


def results_from_lines(lines: Iterable[ResultLine], info: RunInfo) -> Iterator[GameResult]:
    """Yields the results of a run with their games, including those that do not count."""
    games = {group.name: group.game for group in info.groups}
    return (GameResult.from_line(line, game=games[group_of(line.id)]) for line in lines)


def results_of_run(
    folder: Path, info: RunInfo, *, finals: bool = False, lines: Iterable[ResultLine] | None = None
) -> Iterator[GameResult]:
    """Yields the results of a run that count, whichever records it keeps; `finals` includes those of finals.

    `lines` are the results of the run, if they have been read already. Raises `RecordError` when they cannot be read.
    """
    given = read_results(folder) if lines is None else lines
    return counted(results_from_lines(given, info), info, finals=finals)


def counted(results: Iterable[GameResult], info: RunInfo, *, finals: bool = False) -> Iterator[GameResult]:
    """Returns the results of the tables at which no disqualified entrant sat: whole blocks stay whole.

    Results of finals are left out unless asked for: the entrants there met only strong ones, and would pay for it.
    """
    if info.disqualified:
        results = without_entrants(results, {one.entrant for one in info.disqualified})
    apart = {segment.number for segment in info.segments if segment.final and not finals}
    return (result for result in results if result.segment not in apart) if apart else iter(results)
