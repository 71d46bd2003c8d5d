"""The formats whose blocks do not depend on results, as streams, and how many blocks a budget gives each group."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from msgspec.structs import replace

from tournament.records.run import Field, Format, SegmentInfo
from tournament.schedule.block import Block, freshest_order
from tournament.schedule.tables import gauntlet_tables, round_robin_tables, tables_of


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
