"""A short probe: how long blocks take and how large their records are, on deals that are never played."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from typing import Final, NamedTuple

import msgspec

from tournament.blocks import BlockPlayer, Job, Setup
from tournament.configuration import Group
from tournament.deals import draw_master
from tournament.records.run import Field
from tournament.runner.cores import own_core, pinned
from tournament.schedule import round_robin, with_rounds

SECONDS_A_GROUP: Final = 1.0
FEWEST_BLOCKS: Final = 3
MOST_BLOCKS: Final = 200


class Probed(NamedTuple):
    """What the blocks of a group take, each on average."""

    group: str
    seconds: float
    """On one core."""

    bytes: int
    """Of records, not compressed."""


def probe(setup: Setup, groups: Sequence[Group]) -> tuple[Probed, ...]:
    """Returns what blocks take, from about a second of play a group. The deals are drawn and forgotten."""
    player = BlockPlayer(setup)
    try:
        with pinned(own_core(setup.hosting.isolation)):
            return tuple(_probe_group(player, group) for group in groups)
    finally:
        player.close()


def _probe_group(player: BlockPlayer, group: Group) -> Probed:
    field = Field(group=group.name, players=group.players, entrants=group.entrants, blocks=0)
    options = msgspec.to_builtins(group.options)
    times: list[float] = []
    sizes = 0
    for block in round_robin(with_rounds([field], MOST_BLOCKS), seed=draw_master()):
        job = Job(block=block, game=group.game.name, players=group.players, options=options, seed=draw_master())
        begun = perf_counter()
        played = player.play(job)
        times.append(perf_counter() - begun)
        sizes += sum(len(line) + 1 for line in played.lines)
        if sum(times) >= SECONDS_A_GROUP and len(times) > FEWEST_BLOCKS:
            break
    counted = times[1:] or times  # the first block starts the bots
    return Probed(group.name, sum(counted) / len(counted), round(sizes / len(times)))


def rounds_in(minutes: float, probed: Sequence[Probed], *, workers: int) -> int:
    """Returns how many blocks of each group fit into so many minutes; at least 1."""
    return max(1, int(60 * minutes * workers / sum(one.seconds for one in probed)))
