"""Results taken one by one, of which a few bytes each are kept: the whole blocks as arrays, group by group.

Nearly always the games of a block come one after the other, by rotation. Such a block is whole; it is kept as numbers,
and its results are let go. All others wait as they are until the end, and with them every block that shares its id or
a game with another one: `whole_blocks` says which of these count.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import msgspec
import numpy as np

from tournament.ranking.compact.by_deal import Names
from tournament.ranking.compact.columns import (
    DIGEST,
    BlockArrays,
    BlockColumns,
    CountedGroup,
    Kind,
    short_digest,
)
from tournament.ranking.group_games import Booleans, only_kind
from tournament.ranking.results import is_whole, whole_blocks
from tournament.records.results import GameResult
from tournament.records.standings import LeftOut


@dataclass(frozen=True, eq=False, kw_only=True)
class CountedGames:
    """The games that count, group by group, and what was left out."""

    groups: tuple[CountedGroup, ...]
    left_out: tuple[LeftOut, ...]
    entrants: dict[str, frozenset[str]]
    """By group who sat in any of its games, whether that counts or not."""

    played: frozenset[str]
    """The names of the games of all results, whether they count or not."""

    def only(self, groups: Collection[str]) -> CountedGames:
        """Returns some of the groups."""
        return replace(self, groups=tuple(own for own in self.groups if own.games.group in groups))

    def without(self, groups: Collection[str]) -> CountedGames:
        """Returns all groups but some."""
        return self.only({own.games.group for own in self.groups}.difference(groups))

    def games_and_faults(self, entrant: str) -> tuple[int, int]:
        """Returns in how many games an entrant sat, and how many faults it had in them."""
        games = faults = 0
        for own in self.groups:
            if entrant in own.games.entrants:
                games += int(own.games.played[own.games.entrants.index(entrant)])
                faults += sum(own.faults.get(entrant, Counter()).values())
        return games, faults


def counted_games(results: Iterable[GameResult] | CountedGames) -> CountedGames:
    """Returns the games of whole blocks, each game once, in an order that does not depend on the order given."""
    if isinstance(results, CountedGames):
        return results
    collector = GamesCollector()
    for result in results:
        collector.add(result)
    return collector.counted()


def in_block_order(results: Iterable[GameResult], counted: CountedGroup) -> Iterator[GameResult]:
    """Yields the results of the whole blocks of a group, by block and rotation, each game once.

    Only what comes before its turn is held: nothing of a run, whose blocks come in their order.
    """
    wanted, group, players = counted.blocks, counted.games.group, counted.games.players
    place = 0
    waiting: dict[str, dict[int, GameResult]] = {}
    for result in results:
        if place == len(wanted):
            return
        block = result.block
        if result.group != group or (block != wanted[place] and not _comes_later(block, wanted, place)):
            continue
        waiting.setdefault(block, {}).setdefault(result.rotation, result)
        while place < len(wanted) and len(waiting.get(wanted[place], ())) == players:
            games = waiting.pop(wanted[place])
            yield from (games[rotation] for rotation in range(players))
            place += 1


def _comes_later(block: str, wanted: Names, place: int) -> bool:
    """Returns whether a block is among those wanted, behind a place."""
    key = len(block), block
    at = bisect_left(wanted, key, place + 1, key=lambda one: (len(one), one))
    return at < len(wanted) and wanted[at] == block


class GamesCollector:
    """Takes results as they come, and says which games count."""

    def __init__(self, *, names_single_deals: bool = True) -> None:
        """Starts without any. Without `names_single_deals`, a deal with one block has no name: the block stands for it.

        A ranking pooled with others, or alone, then has its deals in the same order.
        """
        self._names_single_deals = names_single_deals
        self._columns: dict[tuple[str, int], BlockColumns] = {}
        self._block: list[GameResult] = []
        self._loose: list[GameResult] = []
        self._entrants: defaultdict[str, set[str]] = defaultdict(set)
        self._played: set[str] = set()

    def add(self, result: GameResult) -> None:
        """Takes the next result."""
        block = self._block
        if block and (
            block[0].block != result.block or block[0].group != result.group or len(block) == block[0].players
        ):
            self._settle()
            block = self._block
        block.append(result)

    def counted(self) -> CountedGames:
        """Returns the games that count. The collector is empty afterwards, so that nothing is held twice."""
        self._settle()
        left_out: tuple[LeftOut, ...] = ()
        loose = [_with_short_digest(result) for result in self._loose]
        columns = {kind: own.all() for kind, own in self._columns.items()}
        self._columns, self._loose = {}, []
        if not self._names_single_deals:
            loose = _unnamed_where_single(columns, loose)
        doubtful = _doubtful(columns, loose)
        if loose or any(rows.any() for rows in doubtful.values()):
            results = [result for kind, rows in doubtful.items() for result in columns[kind].results(rows, kind)]
            selection = whole_blocks([*results, *loose])
            left_out = selection.left_out
            columns = {kind: own.taken(np.flatnonzero(~doubtful[kind])) for kind, own in columns.items()}
            columns = _with_blocks(columns, selection.results)
        kinds: defaultdict[str, list[tuple[str, int]]] = defaultdict(list)
        for kind, own in columns.items():
            if len(own.blocks):
                kinds[kind[0]].append(kind)
        return CountedGames(
            groups=tuple(
                columns.pop(kind).group(kind) for kind in (only_kind(kinds[group]) for group in sorted(kinds))
            ),
            left_out=left_out,
            entrants={group: frozenset(names) for group, names in self._entrants.items()},
            played=frozenset(self._played),
        )

    def _settle(self) -> None:
        """Takes the games that came last as one block, if they are one."""
        block, self._block = self._block, []
        if not block:
            return
        first = block[0]
        self._played.add(first.game)
        if is_whole(block):
            self._entrants[first.group].update(first.seats)
            kind = first.group, first.players
            if kind not in self._columns:
                self._columns[kind] = BlockColumns(first.game, first.players)
            self._columns[kind].add(block)
        else:
            for result in block:
                self._entrants[result.group].update(result.seats)
            self._loose += block


def _doubtful(columns: dict[Kind, BlockArrays], loose: Sequence[GameResult]) -> dict[Kind, Booleans]:
    """Returns which blocks share their id with another one, or a game."""
    own_digests = np.array([bytes.fromhex(result.digest) for result in loose], dtype=DIGEST)
    every = np.concatenate([*(own.digests for own in columns.values()), own_digests])
    every.sort()
    repeated = np.unique(every[1:][every[1:] == every[:-1]])
    del every
    doubtful = {}
    for (group, players), own in columns.items():
        order = np.argsort(own.blocks, kind="stable")
        again = own.blocks[order][1:] == own.blocks[order][:-1]
        rows = np.zeros(len(own.blocks), dtype=np.bool_)
        rows[order[1:][again]] = rows[order[:-1][again]] = True
        ids = [result.block.encode() for result in loose if result.group == group]
        if ids:
            rows |= np.isin(own.blocks, np.array(ids, dtype=np.bytes_))
        if len(repeated):
            rows |= np.isin(own.digests, repeated).reshape(-1, players).any(axis=1)
        doubtful[group, players] = rows
    return doubtful


def _unnamed_where_single(columns: dict[Kind, BlockArrays], loose: Sequence[GameResult]) -> list[GameResult]:
    """Takes the names of deals with a single block from these columns, and returns the other results without them."""
    deals = {result.block: result.deal.encode() for result in loose if result.deal is not None}
    every = np.concatenate([*(own.deals for own in columns.values()), np.array(list(deals.values()), dtype=np.bytes_)])
    names, counts = np.unique(every, return_counts=True)
    single = names[counts == 1]
    for own in columns.values():
        own.deals[np.isin(own.deals, single)] = b""
    known = set(single.tolist())
    return [
        msgspec.structs.replace(result, deal=None) if (result.deal or "").encode() in known else result
        for result in loose
    ]


def _with_blocks(columns: dict[Kind, BlockArrays], results: Sequence[GameResult]) -> dict[Kind, BlockArrays]:
    """Returns columns with more whole blocks, whose games come one after the other."""
    grown = {kind: BlockColumns(own.game, kind[1], own) for kind, own in columns.items()}
    at = 0
    while at < len(results):
        first = results[at]
        kind = first.group, first.players
        if kind not in grown:
            grown[kind] = BlockColumns(first.game, first.players)
        grown[kind].add(results[at : at + first.players])
        at += first.players
    return {kind: own.all() for kind, own in grown.items()}


def _with_short_digest(result: GameResult) -> GameResult:
    return msgspec.structs.replace(result, digest=short_digest(result.digest).hex())
