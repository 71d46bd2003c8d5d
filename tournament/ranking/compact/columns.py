"""Whole blocks of a group as columns: a few bytes a game, in place of objects of a few hundred."""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tournament.games.contract import Ending
from tournament.ids import format_game_id, parse_pooled_id
from tournament.ranking.compact.by_deal import Names
from tournament.ranking.group_games import Booleans, GroupGames, Integers, half_points_of
from tournament.records.results import GameResult

_DIGEST_BYTES: Final = 16
"""So many bytes tell games apart; whoever finds two games with equal ones has broken SHA-256."""

_HEX_DIGITS: Final = 64
"""Of a whole digest."""

_MOST_WAITING: Final = 4096
"""So many blocks are held as lists of Python's before they become arrays."""


Kind = tuple[str, int]
"""A group and its number of players."""


DIGEST = np.dtype(f"S{_DIGEST_BYTES}")


def short_digest(digest: str) -> bytes:
    """Returns bytes that stand for a digest; the last is not 0, which an array would drop."""
    try:
        if len(digest) == _HEX_DIGITS:
            return bytes.fromhex(digest[: 2 * _DIGEST_BYTES - 2]) + b"."
    except ValueError:
        pass
    return blake2b(digest.encode(), digest_size=_DIGEST_BYTES - 1).digest() + b"."


@dataclass(frozen=True, eq=False, kw_only=True)
class CountedGroup:
    """The whole blocks of one group, by their ids; the games of each stand by rotation."""

    game: str
    games: GroupGames
    blocks: Names
    """Their ids."""

    named: Booleans | None
    """Which games are on a deal with a name, as several blocks were played on it; None where none is."""

    clean: Booleans
    """Which games are of a block in which nobody forfeited."""

    faults: dict[str, Counter[str]]
    """By entrant and kind."""

    def order_of_play(self) -> Integers:
        """Returns for each block its place when all are sorted by run, segment and number."""
        keys = []
        for block in self.blocks:
            parts, run = parse_pooled_id(block)
            keys.append((run, parts.segment, parts.number, block))
        place = np.empty(len(keys), dtype=np.int64)
        place[sorted(range(len(keys)), key=keys.__getitem__)] = np.arange(len(keys))
        return place


@dataclass(frozen=True, eq=False, kw_only=True)
class BlockArrays:
    """Whole blocks of a group as arrays of as few bytes as they need."""

    game: str
    players: int
    names: tuple[str, ...]
    """Of entrants; `order` holds places in it."""

    blocks: NDArray[np.bytes_]
    deals: NDArray[np.bytes_]
    """The name of each block's deal; empty where the block stands for it."""

    order: Integers
    """The entrants of each block by seat in rotation 0, shape (blocks, players)."""

    scores: Integers
    """By seat, shape (games, players)."""

    places: Integers
    digests: NDArray[np.bytes_]
    """Of each game, shortened."""

    forfeits: Integers
    """The cells (game * players + seat) of forfeits."""

    aborted: Integers
    """The games that were aborted."""

    faults: Integers
    """The cells of faults."""

    kinds: Integers
    """The kind of each fault, as its place in `kind_names`."""

    kind_names: tuple[str, ...]

    def taken(self, blocks: Integers) -> BlockArrays:
        """Returns some of the blocks, in the order given."""
        players = self.players
        place = np.full(len(self.blocks), -1, dtype=np.int64)
        place[blocks] = np.arange(len(blocks))
        games = (blocks[:, None] * players + np.arange(players)).ravel()

        def moved(cells: Integers, *, size: int) -> tuple[Integers, Booleans]:
            block, rest = np.divmod(cells, size)
            there = place[block] >= 0
            return place[block[there]] * size + rest[there], there

        faults, there = moved(self.faults, size=players**2)
        return replace(
            self,
            blocks=self.blocks[blocks],
            deals=self.deals[blocks],
            order=self.order[blocks],
            scores=self.scores[games],
            places=self.places[games],
            digests=self.digests[games],
            forfeits=moved(self.forfeits, size=players**2)[0],
            aborted=moved(self.aborted, size=players)[0],
            faults=faults,
            kinds=self.kinds[there],
        )

    def results(self, rows: Booleans, kind: Kind) -> list[GameResult]:
        """Returns the results of some blocks, as far as a ranking needs them, with shortened digests."""
        own = self.taken(np.flatnonzero(rows))
        group, players = kind
        forfeits: defaultdict[int, list[int]] = defaultdict(list)
        faults: defaultdict[int, list[tuple[int, Any]]] = defaultdict(list)
        for cell in own.forfeits.tolist():
            forfeits[cell // players].append(cell % players)
        for cell, number in zip(own.faults.tolist(), own.kinds.tolist(), strict=True):
            faults[cell // players].append((cell % players, own.kind_names[number]))
        aborted = set(own.aborted.tolist())
        results = []
        for at, block in enumerate(Names(own.blocks)):
            order = [own.names[number] for number in own.order[at].tolist()]
            for rotation in range(players):
                game = at * players + rotation
                results.append(
                    GameResult(
                        id=format_game_id(block, rotation),
                        seats=(*order[rotation:], *order[:rotation]),
                        scores=tuple(own.scores[game].tolist()),
                        places=tuple(own.places[game].tolist()),
                        ending=Ending.ABORTED if game in aborted else "",
                        forfeits=tuple(forfeits[game]),
                        faults=tuple(faults[game]),
                        digest=own.digests[game].hex(),
                        game=own.game,
                        group=group,
                        block=block,
                        rotation=rotation,
                        deal=own.deals[at].decode() or None,
                    )
                )
        return results

    def group(self, kind: Kind) -> CountedGroup:
        """Returns the blocks as the games of a group, sorted."""
        lengths = np.char.str_len(self.blocks)
        is_even = bool((lengths == lengths[0]).all())
        if not is_even or not bool((self.blocks[1:] > self.blocks[:-1]).all()):
            return self.taken(np.lexsort((self.blocks, lengths)))._sorted(kind, is_even)
        return self._sorted(kind, is_even)

    def _sorted(self, kind: Kind, is_even: bool) -> CountedGroup:
        group, players = kind
        there = np.unique(self.order).tolist()
        entrants = tuple(sorted(self.names[number] for number in there))
        number = np.zeros(len(self.names), dtype=self.order.dtype)
        number[there] = [entrants.index(self.names[one]) for one in there]
        order = number[self.order]
        seats = np.stack([np.roll(order, -rotation, axis=1) for rotation in range(players)], axis=1)
        seats = seats.reshape(-1, players)
        named = self.deals != b""
        if is_even and not named.any():
            deals, deal = self.blocks, np.arange(len(self.blocks))
        else:
            deals, deal = np.unique(np.where(named, self.deals, self.blocks), return_inverse=True)
        forfeited = np.zeros(seats.shape, dtype=np.bool_)
        forfeited.ravel()[self.forfeits] = True
        forfeited[self.aborted] = True
        clean = np.ones(len(self.blocks), dtype=np.bool_)
        clean[self.forfeits // players**2] = False
        faults: defaultdict[str, Counter[str]] = defaultdict(Counter)
        size = len(self.kind_names)
        guilty = seats.ravel()[self.faults].astype(np.int64) * size + self.kinds
        for cell, count in enumerate(np.bincount(guilty).tolist()):
            if count:
                faults[entrants[cell // size]][self.kind_names[cell % size]] = count
        return CountedGroup(
            game=self.game,
            games=GroupGames(
                group=group,
                players=players,
                entrants=entrants,
                deals=Names(deals),
                seats=seats,
                deal=np.repeat(deal.astype(np.int32), players),
                half_points=half_points_of(self.places, forfeited),
                places=self.places,
                scores=self.scores,
                forfeited=forfeited,
            ),
            blocks=Names(self.blocks),
            named=np.repeat(named, players) if named.any() else None,
            clean=np.repeat(clean, players),
            faults=dict(faults),
        )


class BlockColumns:
    """Whole blocks of a group, added one by one."""

    def __init__(self, game: str, players: int, begun: BlockArrays | None = None) -> None:
        """Starts without a block, or with those that are there."""
        self._game = game
        self._players = players
        names = () if begun is None else begun.names
        kinds = () if begun is None else begun.kind_names
        self._number = {name: at for at, name in enumerate(names)}
        self._kind = {name: at for at, name in enumerate(kinds)}
        self._done: list[BlockArrays] = [] if begun is None else [begun]
        self._games = 0 if begun is None else len(begun.scores)
        self._begin()

    def _begin(self) -> None:
        self._blocks: list[bytes] = []
        self._deals: list[bytes] = []
        self._order: list[int] = []
        self._scores: list[int] = []
        self._places: list[int] = []
        self._digests: list[bytes] = []
        self._forfeits, self._aborted, self._faults, self._kinds = (array("q") for _ in range(4))

    def add(self, block: Sequence[GameResult]) -> None:
        """Adds a whole block, sorted by rotation."""
        first, number = block[0], self._number
        self._blocks.append(first.block.encode())
        self._deals.append(b"" if first.deal is None else first.deal.encode())
        for name in first.seats:
            if name not in number:
                number[name] = len(number)
            self._order.append(number[name])
        for result in block:
            self._scores += result.scores
            self._places += result.places
            self._digests.append(short_digest(result.digest))
            cell = self._games * self._players
            if result.forfeits:
                self._forfeits.extend(cell + seat for seat in result.forfeits)
            if result.faults:
                for seat, kind in result.faults:
                    self._faults.append(cell + seat)
                    self._kinds.append(self._kind.setdefault(str(kind), len(self._kind)))
            if result.ending == Ending.ABORTED:
                self._aborted.append(self._games)
            self._games += 1
        if len(self._blocks) == _MOST_WAITING:
            self._done.append(self._taken())

    def all(self) -> BlockArrays:
        """Returns all blocks so far."""
        if self._blocks or not self._done:
            self._done.append(self._taken())
        if len(self._done) > 1:
            self._done = [self._together(self._done)]
        return replace(self._done[0], names=tuple(self._number), kind_names=tuple(self._kind))

    def _taken(self) -> BlockArrays:
        players = self._players
        order: Any = np.array(self._order, dtype=np.int16).reshape(-1, players)
        places: Any = np.array(self._places, dtype=np.int8 if players < 64 else np.int16).reshape(-1, players)
        arrays = BlockArrays(
            game=self._game,
            players=players,
            names=(),
            blocks=np.array(self._blocks, dtype=np.bytes_),
            deals=np.array(self._deals, dtype=np.bytes_),
            order=order,
            scores=_narrow(self._scores).reshape(-1, players),
            places=places,
            digests=np.array(self._digests, dtype=DIGEST),
            forfeits=np.array(self._forfeits, dtype=np.int64),
            aborted=np.array(self._aborted, dtype=np.int64),
            faults=np.array(self._faults, dtype=np.int64),
            kinds=np.array(self._kinds, dtype=np.int64),
            kind_names=(),
        )
        self._begin()
        return arrays

    @staticmethod
    def _together(parts: list[BlockArrays]) -> BlockArrays:
        """Returns parts as one; each is let go column by column, so that memory holds little twice."""
        columns = {name: [getattr(part, name) for part in parts] for name in _COLUMNS}
        first = parts[0]
        parts.clear()
        whole: dict[str, Any] = {}
        for name in _COLUMNS:
            whole[name] = np.concatenate(columns.pop(name))
        return replace(first, **whole)


_COLUMNS: Final = (
    "blocks",
    "deals",
    "order",
    "scores",
    "places",
    "digests",
    "forfeits",
    "aborted",
    "faults",
    "kinds",
)


def _narrow(values: Sequence[int]) -> Integers:
    """Returns integers as an array of as few bytes as they need."""
    wide = np.array(values, dtype=np.int64)
    least, most = int(wide.min(initial=0)), int(wide.max(initial=0))
    for kind in (np.int8, np.int16, np.int32):
        if np.iinfo(kind).min <= least and most <= np.iinfo(kind).max:
            return wide.astype(kind)
    return wide
