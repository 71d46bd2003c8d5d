"""Blocks, and the formats whose blocks do not depend on results: their tables, and how many blocks each group gets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import shake_256
from itertools import combinations, islice, permutations
from math import comb, gcd, lcm
from operator import add
from struct import unpack
from typing import Final

import msgspec
from msgspec.structs import replace

from tournament.ids import BlockId, format_game_id, parse_block_id
from tournament.records.run import Balance, Field, Format, SegmentInfo, Spread

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


TRIES = 8
"""So many tables are made with different jitter; the one whose members met least is taken."""

_MEETING: Final = 1 << 16
"""A meeting counts more than all jitter, which is two bytes: it decides among those who met a table equally often."""


def tables_of(field: Field) -> int:
    """Returns how many different tables the entrants of a field can form."""
    if field.focus:
        return len(field.focus) * comb(len(field.entrants) - len(field.focus), field.players - 1)
    return comb(len(field.entrants), field.players)


def blocks_of_chunk(field: Field) -> int:
    """Returns in how many blocks all entrants sit equally often.

    In a gauntlet the focus bots sit equally often among themselves, and so do the others.
    """
    others = len(field.entrants) - len(field.focus)
    drawn = field.players - bool(field.focus)
    return lcm(others // gcd(others, drawn), len(field.focus) or 1)


def least_appearances(field: Field) -> dict[str, int]:
    """Returns by entrant in how many blocks it sits at least; in a sample chance gives some of them one more.

    The field is that of a round robin, or of a gauntlet where it has focus bots. Cost: constant in the number of
    blocks.
    """
    passes, rest = divmod(field.blocks, tables_of(field))
    others = len(field.entrants) - len(field.focus)
    if not field.focus:
        each = passes * comb(others - 1, field.players - 1) + rest * field.players // others
        return dict.fromkeys(field.entrants, each)
    each = passes * len(field.focus) * comb(others - 1, field.players - 2) + rest * (field.players - 1) // others
    turns, ahead = divmod(rest, len(field.focus))
    of_focus = passes * comb(others, field.players - 1) + turns
    return dict.fromkeys(field.entrants, each) | {
        name: of_focus + (turn < ahead) for turn, name in enumerate(field.focus)
    }


def round_robin_tables(field: Field, *, seed: str) -> Iterator[tuple[str, ...]]:
    """Yields a table for each block of a field: whole passes over all tables, then a sample for the rest."""
    passes, rest = divmod(field.blocks, tables_of(field))
    names = field.entrants
    for _ in range(passes):
        for table in every_table(len(names), field.players):
            yield tuple(names[entrant] for entrant in table)
    sampler = Sampler(len(names), seed=f"{seed}|{field.group}")
    for _ in range(rest):
        yield tuple(names[entrant] for entrant in sampler.table(field.players))


def gauntlet_tables(field: Field, *, seed: str) -> Iterator[tuple[str, ...]]:
    """Yields a table for each block of a field: one of the focus bots, in turn, with others of the field."""
    passes, rest = divmod(field.blocks, tables_of(field))
    others = tuple(name for name in field.entrants if name not in field.focus)
    for _ in range(passes):
        for table in every_table(len(others), field.players - 1):
            for focus in field.focus:
                yield focus, *(others[entrant] for entrant in table)
    names = (*others, *field.focus)
    sampler = Sampler(len(names), seed=f"{seed}|{field.group}", drawn=len(others))
    for number in range(rest):
        focus_at = len(others) + number % len(field.focus)
        yield tuple(names[entrant] for entrant in sampler.table(field.players, given=(focus_at,)))


def every_table(entrants: int, size: int) -> Iterator[tuple[int, ...]]:
    """Yields every choice of `size` among `entrants` once, so that all take part about equally often at any time.

    The choices go orbit by orbit: one choice, then the same shifted around all entrants. Memory is constant.
    """
    for first in combinations(range(1, entrants), size - 1):
        seats = (0, *first)
        gaps = [later - earlier for earlier, later in zip(seats, (*first, entrants), strict=True)]
        turned = [gaps[start:] + gaps[:start] for start in range(size)]
        if gaps != min(turned):
            continue  # the orbit is met at its smallest gaps
        distinct = entrants * len({tuple(one) for one in turned}) // size
        step = gcd(size, distinct)
        for start in range(step):
            for number in range(distinct // step):
                shift = start + number * size
                yield tuple(sorted((seat + shift) % entrants for seat in seats))


class Sampler:
    """Draws tables from the entrants that appeared least, each time adding the one that met the table least."""

    def __init__(self, entrants: int, *, seed: str, drawn: int | None = None) -> None:
        """Starts without any meeting; only the first `drawn` entrants are drawn, by default all."""
        self._seed = seed
        self._number = 0
        self._appearances = [0] * (entrants if drawn is None else drawn)
        self._met = [[0] * entrants for _ in range(entrants)]  # in steps of `_MEETING`

    def table(self, size: int, given: Sequence[int] = ()) -> tuple[int, ...]:
        """Returns the next table, with the `given` entrants in front, and counts it.

        Appearances differ by at most 1 at any time. Cost: `TRIES` times size times entrants.
        """
        candidates = len(self._appearances)
        jitter = shake_256(f"{self._seed}|{self._number}".encode()).digest(2 * TRIES * candidates)
        noise = unpack(f">{TRIES * candidates}H", jitter)
        self._number += 1
        fewest = min(self._appearances)
        due = [entrant for entrant, times in enumerate(self._appearances) if times == fewest]
        others = [entrant for entrant, times in enumerate(self._appearances) if times != fewest]
        best: list[int] = []
        least = -1
        for start in range(0, TRIES * candidates, candidates):
            members, met = self._attempt(size, given, due, others, noise[start : start + candidates])
            if least < 0 or met < least:
                best, least = members, met
            if least == 0:  # no other can be of fewer meetings
                break
        self._count(best, given)
        return tuple(best)

    def _attempt(
        self, size: int, given: Sequence[int], due: list[int], others: list[int], noise: Sequence[int]
    ) -> tuple[list[int], int]:
        members = list(given)
        ranks = noise
        for member in members:
            ranks = list(map(add, ranks, self._met[member]))
        waiting, reserve = list(due), list(others)
        total = 0
        while True:
            if not waiting:
                waiting, reserve = reserve, []
            chosen = min(waiting, key=ranks.__getitem__)
            members.append(chosen)
            total += ranks[chosen] // _MEETING
            if len(members) >= size:
                return members, total
            waiting.remove(chosen)
            ranks = list(map(add, ranks, self._met[chosen]))

    def _count(self, members: Sequence[int], given: Sequence[int]) -> None:
        for member in members:
            if member not in given:
                self._appearances[member] += 1
            row = self._met[member]
            for other in members:
                row[other] += _MEETING * (other != member)


def with_deals(fields: Sequence[Field], deals: int) -> tuple[Field, ...]:
    """Returns the fields with as many blocks as give every table `deals` deals."""
    return tuple(replace(field, blocks=deals * tables_of(field)) for field in fields)


def with_games(fields: Sequence[Field], games: int) -> tuple[Field, ...]:
    """Returns the fields with as many blocks as fit into `games` games, given to the groups in turn."""
    rounds, rest = divmod(games, sum(field.players for field in fields))
    blocks = []
    for field in fields:
        fits = field.players <= rest
        blocks.append(rounds + fits)
        rest -= field.players * fits
    return tuple(replace(field, blocks=count) for field, count in zip(fields, blocks, strict=True))


def with_rounds(fields: Sequence[Field], rounds: int) -> tuple[Field, ...]:
    """Returns the fields with `rounds` blocks each."""
    return tuple(replace(field, blocks=rounds) for field in fields)


def scheduled(segment: SegmentInfo, *, seed: str) -> Iterator[Block]:
    """Yields every block of a round robin or a gauntlet in `run.json`, in the order of the records.

    `seed` comes from `tournament.deals.schedule_seed`; whole passes do not depend on it. Raises `ValueError` for a
    knockout, whose blocks depend on its results: `knockout` gives them.
    """
    blocks = blocks_of_fields(segment.fields, format=segment.format, seed=seed, segment=segment.number)
    return islice(blocks, segment.ended_after)


def blocks_of_fields(
    fields: Sequence[Field],
    *,
    format: Format,  # noqa: A002 (the word of run.json)
    seed: str,
    segment: int = 0,
    first: Mapping[str, int] | None = None,
) -> Iterator[Block]:
    """Yields the blocks of fields, groups in turn, numbered by group from `first` on, or from 0.

    A round robin makes whole passes over all tables, then a sample for the rest; at each table of a gauntlet one focus
    bot sits, in every seat against the field. Memory: a counter of pairs for each group, however many the blocks.
    Raises `ValueError` for a knockout, as `scheduled` does.
    """
    tables = {Format.ROUND_ROBIN: round_robin_tables, Format.GAUNTLET: gauntlet_tables}
    if format not in tables:
        raise ValueError("the blocks of a knockout depend on its results: ask knockout() for them")
    numbers = first or {}
    return _in_turn(
        [
            _blocks(field, tables[format](field, seed=seed), segment, first=numbers.get(field.group, 0))
            for field in fields
        ]
    )


def _in_turn(streams: list[Iterator[Block]]) -> Iterator[Block]:
    while streams:
        going = []
        for stream in streams:
            block = next(stream, None)
            if block is not None:
                yield block
                going.append(stream)
        streams = going


def _blocks(field: Field, tables: Iterator[tuple[str, ...]], segment: int, *, first: int) -> Iterator[Block]:
    followed: Counter[tuple[str, str]] = Counter()
    for number, table in enumerate(tables, start=first):
        yield Block(group=field.group, segment=segment, number=number, order=freshest_order(table, followed))
