"""Which tables, in which order: all of them pass by pass, and a balanced sample where that is too many."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import shake_256
from itertools import combinations
from math import comb, gcd, lcm

from tournament.records.run import Field

TRIES = 8
"""So many tables are made with different jitter; the one whose members met least is taken."""


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
        self._met = [[0] * entrants for _ in range(entrants)]

    def table(self, size: int, given: Sequence[int] = ()) -> tuple[int, ...]:
        """Returns the next table, with the `given` entrants in front, and counts it.

        Appearances differ by at most 1 at any time. Cost: `TRIES` times size times entrants.
        """
        candidates = len(self._appearances)
        jitter = shake_256(f"{self._seed}|{self._number}".encode()).digest(2 * TRIES * candidates)
        self._number += 1
        fewest = min(self._appearances)
        due = [entrant for entrant, times in enumerate(self._appearances) if times == fewest]
        others = [entrant for entrant, times in enumerate(self._appearances) if times != fewest]
        best: list[int] = []
        least = -1
        for attempt in range(TRIES):
            noise = jitter[2 * attempt * candidates :]
            members, met = self._attempt(size, given, due, others, noise)
            if least < 0 or met < least:
                best, least = members, met
        self._count(best, given)
        return tuple(best)

    def _attempt(
        self, size: int, given: Sequence[int], due: list[int], others: list[int], noise: bytes
    ) -> tuple[list[int], int]:
        members = list(given)
        met = [0] * len(self._appearances)
        for member in members:
            met = [a + b for a, b in zip(met, self._met[member], strict=False)]
        waiting, reserve = list(due), list(others)
        total = 0
        while len(members) < size:
            if not waiting:
                waiting, reserve = reserve, []
            chosen = min(waiting, key=lambda entrant: (met[entrant], noise[2 * entrant], noise[2 * entrant + 1]))
            waiting.remove(chosen)
            members.append(chosen)
            total += met[chosen]
            met = [a + b for a, b in zip(met, self._met[chosen], strict=False)]
        return members, total

    def _count(self, members: Sequence[int], given: Sequence[int]) -> None:
        for member in members:
            if member not in given:
                self._appearances[member] += 1
            row = self._met[member]
            for other in members:
                row[other] += other != member
