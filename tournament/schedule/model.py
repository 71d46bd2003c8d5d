"""A block, and who plays after whom in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import permutations
from typing import Final

import msgspec

from tournament.ids import BlockId, format_game_id, parse_block_id

MOST_BLOCKS: Final = 5_000_000
"""In a segment: more are not played, and a longer schedule in a `run.json` is not worked out again."""


class Block(msgspec.Struct, frozen=True, kw_only=True):
    """One table on one fresh deal, in the k rotations of one seat order."""

    group: str
    segment: int
    number: int
    """Counts the blocks of a group in a segment."""

    order: tuple[str, ...]
    """The entrants by seat in rotation 0."""

    @classmethod
    def from_id(cls, block_id: str, *, order: tuple[str, ...]) -> Block:
        """Returns the block of that name; `id` gives it back."""
        group, segment, number = parse_block_id(block_id)
        return cls(group=group, segment=segment, number=number, order=order)

    @property
    def id(self) -> str:
        """The name of the block: group, segment, number."""
        return str(BlockId(self.group, self.segment, self.number))

    def record_id(self, rotation: int) -> str:
        """Returns the name of one of its games."""
        return format_game_id(self.id, rotation)

    def seats(self, rotation: int) -> tuple[str, ...]:
        """Returns the entrants by seat in a rotation: seat s holds order[(s + rotation) mod k]."""
        return self.order[rotation:] + self.order[:rotation]


def successor_pairs(order: Sequence[str]) -> list[tuple[str, str]]:
    """Returns who plays after whom around a table."""
    return list(zip(order, (*order[1:], order[0]), strict=True))


def freshest_order(table: tuple[str, ...], followed: Counter[tuple[str, str]]) -> tuple[str, ...]:
    """Returns the cyclic order whose successor pairs occurred least, the first of equals, and counts it."""
    first, *others = table
    best, pairs, fewest = table, successor_pairs(table), -1
    for rest in permutations(others):
        order = (first, *rest)
        around = successor_pairs(order)
        # Squares: two pairs seen once are fresher than one seen twice.
        seen = sum(followed[pair] ** 2 for pair in around)
        if fewest < 0 or seen < fewest:
            best, pairs, fewest = order, around, seen
    followed.update(pairs)
    return best
