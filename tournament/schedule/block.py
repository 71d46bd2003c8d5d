"""A block, who plays after whom in it, and how even the blocks of a schedule are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations, permutations
from typing import Final

import msgspec

from tournament.ids import BlockId, format_game_id, parse_block_id
from tournament.records.run import Balance, Field, Spread

MOST_BLOCKS: Final = 5_000_000
"""The most blocks of a segment: more are not played, and a longer schedule in a `run.json` is not worked out."""


class Block(msgspec.Struct, frozen=True, kw_only=True):
    """One table on one fresh deal, in the k rotations of one seat order."""

    group: str
    segment: int
    number: int
    """Counts the blocks of a group in a segment, from 0."""

    order: tuple[str, ...]
    """The entrants by seat in rotation 0."""

    @classmethod
    def from_id(cls, block_id: str, *, order: tuple[str, ...]) -> Block:
        """Returns the block with this id; `id` gives the id back."""
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
    """Returns the cyclic order of a table whose successor pairs occurred least, the first of equals, and counts it."""
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


def balance_of(blocks: Iterable[Block], fields: Sequence[Field]) -> tuple[Balance, ...]:
    """Returns the balance of some blocks, group by group. Memory: counters of pairs, however many the blocks."""
    counter = BalanceCounter()
    for block in blocks:
        counter.add(block)
    return counter.balance(fields)


class BalanceCounter:
    """Counts who appeared, met and followed how often, block by block."""

    def __init__(self) -> None:
        self._blocks: Counter[str] = Counter()
        self._appearances: Counter[tuple[str, str]] = Counter()
        self._pairs: Counter[tuple[str, str, str]] = Counter()
        self._followed: Counter[tuple[str, str, str]] = Counter()

    def add(self, block: Block) -> None:
        """Counts a block."""
        group = block.group
        self._blocks[group] += 1
        self._appearances.update((group, entrant) for entrant in block.order)
        self._pairs.update((group, *pair) for pair in combinations(sorted(block.order), 2))
        self._followed.update((group, *pair) for pair in successor_pairs(block.order))

    def balance(self, fields: Sequence[Field]) -> tuple[Balance, ...]:
        """Returns the balance so far of these fields; several fields of one group count together.

        In a gauntlet only meetings with a focus bot are compared.
        """
        by_group: dict[str, list[Field]] = {}
        for field in fields:
            by_group.setdefault(field.group, []).append(field)
        return tuple(self._balance(group, members) for group, members in by_group.items())

    def _balance(self, group: str, fields: Sequence[Field]) -> Balance:
        entrants = list(dict.fromkeys(entrant for field in fields for entrant in field.entrants))
        focus = {entrant for field in fields for entrant in field.focus}
        after = [pair for pair in permutations(entrants, 2) if not focus or (pair[0] in focus) != (pair[1] in focus)]
        appearances = {entrant: self._appearances[group, entrant] for entrant in entrants}
        return Balance(
            group=group,
            blocks=self._blocks[group],
            appearances=appearances,
            pairs=_spread([self._pairs[group, first, second] for first, second in after if first < second]),
            # Every bot of a block sits in every seat of it once.
            seats=_spread([count for entrant, count in appearances.items() if entrant not in focus]),
            successors=_spread([self._followed[group, first, second] for first, second in after]),
        )


def _spread(counts: Sequence[int]) -> Spread:
    return Spread(least=min(counts, default=0), most=max(counts, default=0))
