"""What a configuration would play, before anything runs: its size, its time, and what it could tell apart."""

from __future__ import annotations

from typing import Final

import msgspec

from tournament.configuration import Configuration
from tournament.ranking.planning import blocks_to_tell, expected_half_width
from tournament.records.run import Field, Format
from tournament.runner.choosing import setup_of
from tournament.runner.probing import Probed, probe, rounds_in
from tournament.runner.starting import check_suite, fields_of
from tournament.schedule import tables_of, with_rounds

POWER: Final = 0.8
"""A difference is said to be told when it is claimed with this probability."""


class GroupPlan(msgspec.Struct, frozen=True, kw_only=True):
    """What is planned for a group."""

    group: str
    entrants: int
    tables: int
    """How many different tables there are."""

    blocks: int
    games: int
    passes: float
    """How often each table is played; under 1 a balanced sample of them is."""

    half_width: float | None
    """Of the 95 % interval of an entrant's points to expect; None under 10 deals each."""

    tells: float | None
    """The least true difference in points that would be claimed with a probability of 80 %; None: none would."""

    seconds: float
    """On one core."""

    bytes: int


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What a configuration would play."""

    name: str
    schedule: Format
    workers: int
    groups: tuple[GroupPlan, ...]
    blocks: int
    games: int
    seconds: float
    """With the workers."""

    bytes: int
    """Of all records, as they are kept and compressed about."""


COMPRESSED_SHARE: Final = 1 / 7
"""What compression leaves of records, measured on both games."""


def plan(configuration: Configuration) -> Plan:
    """Returns what a configuration would play. Plays about a second a group, on deals that are then forgotten."""
    probed = probe(setup_of(configuration), configuration.groups)
    minutes = configuration.budget.minutes
    if minutes is None:
        fields = fields_of(configuration)
    else:
        bare = fields_of(
            configuration._replace(budget=msgspec.structs.replace(configuration.budget, deals=1, minutes=None))
        )
        fields = with_rounds(bare, rounds_in(minutes, probed, workers=configuration.workers))
    check_suite(configuration, fields)
    groups = tuple(_group_plan(field, one) for field, one in zip(fields, probed, strict=True))
    return Plan(
        name=configuration.name,
        schedule=configuration.schedule,
        workers=configuration.workers,
        groups=groups,
        blocks=sum(group.blocks for group in groups),
        games=sum(group.games for group in groups),
        seconds=sum(group.seconds for group in groups) / configuration.workers,
        bytes=round(sum(group.bytes for group in groups) * _kept_share(configuration)),
    )


def _group_plan(field: Field, probed: Probed) -> GroupPlan:
    tables = tables_of(field)
    return GroupPlan(
        group=field.group,
        entrants=len(field.entrants),
        tables=tables,
        blocks=field.blocks,
        games=field.blocks * field.players,
        passes=field.blocks / tables,
        half_width=expected_half_width(entrants=len(field.entrants), players=field.players, blocks=field.blocks),
        tells=least_difference(field),
        seconds=field.blocks * probed.seconds,
        bytes=field.blocks * probed.bytes,
    )


def least_difference(field: Field) -> float | None:
    """Returns the least true difference in points, to a thousandth, that the blocks of a field would claim."""
    low, high = 0, 1000
    while low < high:  # fewer blocks are needed for a larger difference
        middle = (low + high) // 2
        needed = blocks_to_tell(middle / 1000, entrants=len(field.entrants), players=field.players, power=POWER)
        if needed is not None and needed <= field.blocks:
            high = middle
        else:
            low = middle + 1
    return low / 1000 if low < 1000 else None


def _kept_share(configuration: Configuration) -> float:
    keep = configuration.keep
    share = 1.0 if keep == "all" else 0.0
    if keep.startswith("sample:"):
        share = float(keep.removeprefix("sample:").removesuffix("%")) / 100
    return share * (COMPRESSED_SHARE if configuration.compress else 1.0)
