"""A round of a simulated course: its tables are those of an ordinary run, and its results are drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from benchmarks.arena.simulated_games import PlayedBlocks, Skills, play_blocks
from tournament.arena.scheduling.known import PlannedRound
from tournament.records.settings import WithdrawalRule
from tournament.schedule.formats import blocks_of_fields


class SimulatedRound(NamedTuple):
    """How a round ended."""

    blocks: tuple[PlayedBlocks, ...]
    """Of each group, without those of somebody who was withdrawn before."""

    withdrawn: frozenset[int]


def simulate_round(
    planned: PlannedRound, numbers: Mapping[str, int], *, skills: Skills, rng: np.random.Generator
) -> SimulatedRound:
    """Returns how a planned round ends; `numbers` are those of its entrants."""
    orders: dict[str, list[list[int]]] = {own.group: [] for own in planned.fields}
    for block in blocks_of_fields(planned.fields, format=planned.format, seed=str(rng.integers(1 << 60))):
        orders[block.group].append([numbers[name] for name in block.order])
    blocks: list[PlayedBlocks] = []
    out: set[int] = set()
    faults: Counter[int] = Counter()
    games: Counter[int] = Counter()
    rule = WithdrawalRule()
    for group, tables in orders.items():
        played = play_blocks(group, np.array(tables), skills, rng)
        if not played.forfeited.any() and not out:
            blocks.append(played)
            continue
        kept = np.ones(len(tables), dtype=np.bool_)
        for at, table in enumerate(tables):
            kept[at] = out.isdisjoint(table)
            if not kept[at]:
                continue
            for rotation in range(len(table)):
                for seat, member in enumerate(table[rotation:] + table[:rotation]):
                    games[member] += 1
                    faults[member] += bool(played.forfeited[at, rotation, seat])
            out |= {one for one in table if faults[one] > rule.games and faults[one] > rule.share * games[one]}
        blocks.append(PlayedBlocks(group, played.order[kept], played.places[kept], played.forfeited[kept]))
    return SimulatedRound(tuple(blocks), frozenset(out))
