"""A short probe: how long blocks take, how large their records are and what they give, on deals never played."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from time import perf_counter
from typing import Final, NamedTuple

from tournament.blocks import BlockPlayer, PlayedBlock
from tournament.configuration import Configuration
from tournament.deals import draw_master
from tournament.records.results import GameResult
from tournament.records.run import Field, Format
from tournament.runner.cores import own_core, pinned
from tournament.runner.describing import group_info, segment_info
from tournament.runner.feeds import Feed, feed_of
from tournament.runner.jobs import Jobs, setup_of
from tournament.schedule import with_rounds

SECONDS_A_GROUP: Final = 1.0
SECONDS_WITH_STARTS: Final = 3.0
"""Of a group whose bots take long to start."""

FEWEST_PROBED: Final = 3
MOST_PROBED: Final = 200


class Probed(NamedTuple):
    """What the blocks of a group take, each on average, and what they gave."""

    group: str
    seconds: float
    """On one core, with bots that have been started."""

    bytes: int
    """Of records, not compressed."""

    results: tuple[GameResult, ...]


def probe(
    configuration: Configuration,
    fields: Sequence[Field],
    *,
    format: Format,  # noqa: A002 (the word of run.json)
) -> tuple[Probed, ...]:
    """Returns what blocks of fields take, from about a second of play each. The deals are drawn and forgotten.

    The tables are those of the format. Knockouts are played with one deal a table, one after the other.
    """
    setup = setup_of(configuration)
    player = BlockPlayer(setup)
    try:
        with pinned(own_core(setup.hosting.isolation)):
            return tuple(_probe_field(player, configuration, field, format) for field in fields)
    finally:
        player.close()


def _probe_field(player: BlockPlayer, configuration: Configuration, field: Field, schedule: Format) -> Probed:
    info = next(group_info(group) for group in configuration.groups if group.name == field.group)
    jobs = Jobs(configuration.groups, master=draw_master(), suite=None)
    feed, feeds = _feed(field, schedule, number=0), 1
    times: list[float] = []
    sizes = 0
    results: list[GameResult] = []
    started: set[str] = set()
    end = perf_counter() + SECONDS_WITH_STARTS
    while len(times) <= FEWEST_PROBED or (
        len(times) < MOST_PROBED and sum(times) < SECONDS_A_GROUP and perf_counter() < end
    ):
        block = feed.next()
        if block is None:  # a knockout is over
            feed, feeds = _feed(field, schedule, number=feeds), feeds + 1
            continue
        begun = perf_counter()
        played = player.play(jobs.job(block))
        times.append(perf_counter() - begun - _start_seconds(played, started))
        started.update(block.order)
        sizes += sum(len(line) + 1 for line in played.lines)
        feed.note(block, played.results)
        results += (GameResult.from_line(line, game=info.game) for line in played.results)
    counted = times[1:] or times  # before the first block nothing was warm
    return Probed(field.group, sum(counted) / len(counted), round(sizes / len(times)), tuple(results))


def _start_seconds(played: PlayedBlock, started: Collection[str]) -> float:
    """Returns how long a block waited for bots to start that had not been; a run starts them once as well."""
    milliseconds: float = sum(
        time.start_ms
        for rotation, game in enumerate(played.clocks)
        for name, time in zip(played.block.seats(rotation), game.seats, strict=True)
        if name not in started
    )
    return milliseconds / 1000


def _feed(field: Field, schedule: Format, *, number: int) -> Feed:
    """Returns the blocks as a run has them; the number of its segment tells one feed from another."""
    fields = with_rounds([field], MOST_PROBED)
    deals = 1 if schedule is Format.KNOCKOUT else None
    segment = segment_info(fields, number=number, format=schedule, secret=None, deals=deals)
    return feed_of(segment, seed=draw_master())


def rounds_in(minutes: float, probed: Sequence[Probed], *, workers: int) -> int:
    """Returns how many blocks of each group fit into so many minutes; at least 1. So many workers play at once."""
    return max(1, int(60 * minutes * workers / sum(one.seconds for one in probed)))
