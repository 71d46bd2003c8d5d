"""Budgets: how many blocks of each group deals, games or minutes are; minutes are measured by a probe."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from time import perf_counter
from typing import Final, NamedTuple

from tournament.blocks import BlockPlayer, Jobs, PlayedBlock, setup_of
from tournament.configuration.checking import bare_fields, check_filled, check_size
from tournament.configuration.resolving import Configuration
from tournament.configuration.types import Budget
from tournament.deals import draw_master
from tournament.errors import ConfigurationError
from tournament.records.results import GameResult
from tournament.records.run import Field, Format
from tournament.run.crews import own_core, workers_at_once
from tournament.run.describing import group_info, segment_info
from tournament.run.segment import Feed, feed_of
from tournament.schedule.formats import with_deals, with_games, with_rounds
from tournament.schedule.knockout import blocks_of_knockout
from tournament.workers import pinned

SECONDS_A_GROUP: Final = 1.0
SECONDS_WITH_STARTS: Final = 3.0
"""Of a group whose bots take long to start."""

FEWEST_PROBED: Final = 3
MOST_PROBED: Final = 200


class Probed(NamedTuple):
    """The average time and size of a block of a group, and the results of the blocks that were tried."""

    group: str
    seconds: float
    """On one core, with bots that have been started."""

    bytes: int
    """Of records, not compressed."""

    results: tuple[GameResult, ...]


class Beginning(NamedTuple):
    """What a new run will play."""

    configuration: Configuration
    fields: tuple[Field, ...]


def probe(
    configuration: Configuration,
    fields: Sequence[Field],
    *,
    format: Format,  # noqa: A002 (the word of run.json)
) -> tuple[Probed, ...]:
    """Returns how long blocks take, measured by about a second of play for each field. The deals are thrown away.

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
    """Returns how long a block waited for bots that started for the first time; a run waits for that once, too."""
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
    """Returns how many blocks of each group `workers` play in so many minutes, at least 1."""
    return max(1, int(60 * minutes * workers / sum(one.seconds for one in probed)))


def fields_of(configuration: Configuration, *, cluster: str | None = None) -> tuple[Field, ...]:
    """Returns the groups with as many blocks as the budget gives; minutes become blocks by a probe.

    Raises `ConfigurationError` when it gives none, or more than can be played at once.
    """
    fields = bare_fields(configuration)
    budget = configuration.budget
    if configuration.schedule is Format.KNOCKOUT and budget.deals is not None:
        deals = budget.deals
        check_size(fields, least=deals)
        fields = tuple(_with_blocks(field, blocks_of_knockout(field, deals=deals)) for field in fields)
    else:
        workers = workers_at_once(configuration.workers, cluster=cluster)
        fields = with_budget(fields, budget, configuration=configuration, workers=workers)
    check_size(fields)
    return fields


def format_of(fields: Sequence[Field]) -> Format:
    """Returns the format of fields: a gauntlet if one has focus bots, otherwise a round robin."""
    return Format.GAUNTLET if any(field.focus for field in fields) else Format.ROUND_ROBIN


def with_budget(
    fields: Sequence[Field], budget: Budget, *, configuration: Configuration, workers: int
) -> tuple[Field, ...]:
    """Returns fields with as many blocks as a budget gives; so many workers play at the same time.

    Raises `ConfigurationError` when it gives none.
    """
    if budget.deals is not None:
        return with_deals(fields, budget.deals)
    if budget.games is not None:
        filled = with_games(fields, budget.games)
        check_filled(filled, games=budget.games)
        return filled
    assert budget.minutes is not None, "a budget has one of its three"
    if not math.isfinite(budget.minutes):
        raise ConfigurationError(f"budget: minutes are a finite number, not {budget.minutes}. Give one.")
    probed = probe(configuration, fields, format=format_of(fields))
    return with_rounds(fields, rounds_in(budget.minutes, probed, workers=workers))


def _with_blocks(field: Field, blocks: int) -> Field:
    (filled,) = with_rounds([field], blocks)
    return filled
