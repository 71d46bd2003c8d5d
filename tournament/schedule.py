"""Who meets whom on which deal: formats as pure, lazy streams of blocks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, permutations
from math import comb

import msgspec


class Field(msgspec.Struct, frozen=True, kw_only=True):
    """A group and who takes part in it."""

    group: str
    players: int
    entrants: tuple[str, ...]


class Block(msgspec.Struct, frozen=True, kw_only=True):
    """One table on one fresh deal, in the k rotations of one seat order."""

    group: str
    segment: int
    number: int
    """Counts the blocks of a group in a segment."""

    order: tuple[str, ...]
    """The entrants by seat in rotation 0."""

    @property
    def id(self) -> str:
        """The name of the block: group, segment, number."""
        return f"{self.group}.{self.segment}.{self.number:06d}"

    def record_id(self, rotation: int) -> str:
        """Returns the name of one of its games."""
        return f"{self.id}.{rotation}"

    def seats(self, rotation: int) -> tuple[str, ...]:
        """Returns the entrants by seat in a rotation: seat s holds order[(s + rotation) mod k]."""
        return self.order[rotation:] + self.order[:rotation]


def tables_of(field: Field) -> int:
    """Returns the number of tables that can be set from a field."""
    return comb(len(field.entrants), field.players)


def round_robin(fields: Sequence[Field], *, deals: int, segment: int = 0) -> Iterator[Block]:
    """Yields every table of every group on `deals` fresh deals: passes over all tables, groups in turn.

    Of the cyclic orders of a table that one is taken whose pairs of neighbours (who plays after
    whom) have occurred least in the group so far. Memory: one counter a group.
    """
    followed: dict[str, Counter[tuple[str, str]]] = {field.group: Counter() for field in fields}
    numbers = dict.fromkeys(followed, 0)
    for _ in range(deals):
        waiting = [(field, combinations(field.entrants, field.players)) for field in fields]
        while waiting:
            still = []
            for field, tables in waiting:
                table = next(tables, None)
                if table is None:
                    continue
                order = _freshest_order(table, followed[field.group])
                yield Block(group=field.group, segment=segment, number=numbers[field.group], order=order)
                numbers[field.group] += 1
                still.append((field, tables))
            waiting = still


def _freshest_order(table: tuple[str, ...], followed: Counter[tuple[str, str]]) -> tuple[str, ...]:
    """Returns the cyclic order whose successor pairs occurred least, the first of equals, and counts it."""
    first, *others = table
    orders = [(first, *rest) for rest in permutations(others)]
    best = min(orders, key=lambda order: sum(followed[pair] for pair in successor_pairs(order)))
    followed.update(successor_pairs(best))
    return best


def successor_pairs(order: Sequence[str]) -> list[tuple[str, str]]:
    """Returns who plays after whom around a table."""
    return list(zip(order, (*order[1:], order[0]), strict=True))
