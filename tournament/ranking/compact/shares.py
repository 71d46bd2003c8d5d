"""What blocks of several sources are called where their ids alone would mix up different games.

A block is what has one tournament, one deal and one id. Some fifty bytes are kept of each game while sources are read.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tournament.ids import format_pooled_id
from tournament.ranking.compact.columns import DIGEST, short_digest
from tournament.ranking.compact.packing import SourcedResult

_TAG_DIGITS: Final = 12
"""So many digits of a digest stand behind the id of a block and tell it from others with the same id."""

_NO_SEED: Final = 0

_MOST_WAITING: Final = 4096
"""So many digests are held as Python's own objects before they become an array."""

Numbers = NDArray[Any]


class BlockKey(NamedTuple):
    """What makes a block one block, whatever it is called in its source."""

    tournament: str
    seed: str | None
    block: str

    @classmethod
    def of(cls, played: SourcedResult) -> BlockKey:
        """Returns the key of the block that a result is part of."""
        return cls(played.tournament, played.seed, played.result.block)

    @property
    def number(self) -> int:
        """A number of 64 bits that stands for the key: those of a million blocks are hardly ever equal."""
        return _number_of(*self)


class BlockShare(NamedTuple):
    """A block as it is in one source."""

    name: str
    """What it is called in the pool."""

    is_on_shared_deal: bool
    """Whether other blocks were played on its deal."""

    has_other_seeds: bool
    """Whether the block has this name elsewhere with another seed, or with one where this has none."""


class BlockShares:
    """What each block is called in each source, and what is known of its deal."""

    def __init__(
        self, *, keys: Numbers, pairs: Numbers, sources: int, tags: Numbers, is_shared: Numbers, is_mixed: Numbers
    ) -> None:
        """Takes the numbers of keys and the blocks of each source, both sorted, and what is known of the latter.

        A block of a source is place in `keys` * `sources` + number of the source. Of each, `tags` has what stands
        behind its id, or nothing where the id is enough; `is_shared` and `is_mixed` are as in `BlockShare`.
        """
        self._keys = array("Q", keys.tobytes())
        self._pairs = array("q", pairs.tobytes())
        self._sources = sources
        self._tags = tags
        self._is_shared = is_shared
        self._is_mixed = is_mixed
        self.are_mixed = bool(is_mixed.any())

    def share_of(self, key: BlockKey, *, source: int) -> BlockShare:
        """Returns a block as it is in a source."""
        place = bisect_left(self._pairs, bisect_left(self._keys, key.number) * self._sources + source)
        tag = self._tags[place].decode()
        name = format_pooled_id(key.block, tag) if tag else key.block
        return BlockShare(name, bool(self._is_shared[place]), bool(self._is_mixed[place]))


class ShareCollector:
    """Takes the games of sources as they are read, and says what their blocks are called."""

    def __init__(self) -> None:
        """Starts without a game."""
        self._ids, self._keys, self._seeds = (array("Q") for _ in range(3))
        self._sources, self._rotations = (array("q") for _ in range(2))
        self._waiting: list[str] = []
        self._digests: list[Numbers] = []
        self._tags: list[Numbers] = []

    def followed(self, results: Iterable[SourcedResult], *, source: int) -> Iterator[SourcedResult]:
        """Yields the results of a source, and takes them."""
        last: BlockKey | None = None
        numbers = 0, 0, _NO_SEED
        for played in results:
            key = BlockKey.of(played)
            if key != last:  # the games of a block nearly always come one after the other
                last = key
                numbers = _number_of(key.block), key.number, _NO_SEED if key.seed is None else _number_of(key.seed)
            self._ids.append(numbers[0])
            self._keys.append(numbers[1])
            self._seeds.append(numbers[2])
            self._sources.append(source)
            self._rotations.append(played.result.rotation)
            self._waiting.append(played.result.digest)
            if len(self._waiting) == _MOST_WAITING:
                self._shorten()
            yield played

    def _shorten(self) -> None:
        self._digests.append(np.array([short_digest(digest) for digest in self._waiting], dtype=DIGEST))
        self._tags.append(np.array([digest[:_TAG_DIGITS].encode() for digest in self._waiting], dtype=np.bytes_))
        self._waiting.clear()

    def shares(self) -> BlockShares:
        """Returns what the blocks of all sources are called."""
        self._shorten()
        keys, first, key = np.unique(_array(self._keys), return_index=True, return_inverse=True)
        source = _array(self._sources)
        tags, tag = np.unique(np.concatenate(self._tags), return_inverse=True)
        ids, id_of_key, keys_of_id = np.unique(_array(self._ids)[first], return_inverse=True, return_counts=True)
        del ids

        # A block is in dispute where its sources have different games of one rotation: then each source has its own.
        rotation = _array(self._rotations)
        digest = np.unique(np.concatenate(self._digests), return_inverse=True)[1]
        game = rotation * (int(digest.max(initial=0)) + 1) + digest
        is_in_dispute = _different(key, rotation) < _different(key, np.unique(game, return_inverse=True)[1])
        keeps_id = (keys_of_id[id_of_key] == 1) & (~is_in_dispute | (_different(key, source) == 1))

        sources = int(source.max(initial=0)) + 1
        pairs, pair = np.unique(key * sources + source, return_inverse=True)
        key_of_pair = pairs // sources
        alone, together = _lowest(pair, tag, size=len(pairs)), _lowest(key, tag, size=len(keys))[key_of_pair]
        tag_of_pair = np.where(keeps_id[key_of_pair], -1, np.where(is_in_dispute[key_of_pair], alone, together))

        # The seed of a block is the last that a game with its name has.
        block = np.unique(id_of_key[key_of_pair] * (len(tags) + 1) + tag_of_pair + 1, return_inverse=True)[1]
        seed_of_pair = _array(self._seeds)[first][key_of_pair]
        last_game = np.zeros(len(pairs), dtype=np.int64)
        np.maximum.at(last_game, pair, np.arange(len(pair)))
        order = np.lexsort((last_game, seed_of_pair != _NO_SEED, block))
        seed_of_block = seed_of_pair[order[np.flatnonzero(np.diff(block[order], append=-1))]]
        seeds, blocks = np.unique(seed_of_block, return_counts=True)
        is_shared = (seed_of_block != _NO_SEED) & np.isin(seed_of_block, seeds[blocks > 1])
        is_mixed = np.zeros(len(seed_of_block), dtype=np.bool_)
        is_mixed[block[seed_of_pair != seed_of_block[block]]] = True
        return BlockShares(
            keys=keys,
            pairs=pairs,
            sources=sources,
            tags=np.append(tags, b"")[tag_of_pair],
            is_shared=is_shared[block],
            is_mixed=is_mixed[block],
        )


def _array(numbers: array[int]) -> Numbers:
    return np.frombuffer(numbers, dtype=numbers.typecode)


def _different(groups: Numbers, values: Numbers) -> Numbers:
    """Returns how many different values there are in each group; both count from 0."""
    span = int(values.max(initial=0)) + 1
    return np.bincount(np.unique(groups * span + values) // span)


def _lowest(groups: Numbers, values: Numbers, *, size: int) -> Numbers:
    """Returns the lowest value in each group."""
    lowest = np.full(size, np.iinfo(np.int64).max)
    np.minimum.at(lowest, groups, values)
    return lowest


def _number_of(*words: str | None) -> int:
    return int.from_bytes(blake2b(repr(words).encode(), digest_size=8).digest(), "little")
