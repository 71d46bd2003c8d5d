"""How even a schedule is: who appeared, met, sat and followed how often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations, permutations

from tournament.records.run import Balance, Field, Spread
from tournament.schedule.model import Block, successor_pairs


def balance_of(blocks: Iterable[Block], fields: Sequence[Field]) -> tuple[Balance, ...]:
    """Returns the balance of some blocks, group by group. Memory: counters of pairs, whatever the number of blocks."""
    counter = BalanceCounter()
    for block in blocks:
        counter.add(block)
    return counter.balance(fields)


class BalanceCounter:
    """Counts blocks as they come."""

    def __init__(self) -> None:
        """Starts without any block."""
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

        Of a gauntlet only meetings with a focus bot are compared.
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
