"""The formats whose blocks do not depend on results, as streams."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from tournament.records.run import Field, Format, SegmentInfo
from tournament.schedule.model import Block, freshest_order
from tournament.schedule.tables import gauntlet_tables, round_robin_tables


def scheduled(segment: SegmentInfo, *, seed: str) -> Iterator[Block]:
    """Yields every block of a round robin or a gauntlet in `run.json`, in the order of the records.

    `seed` comes from `tournament.deals.schedule_seed`; whole passes do not depend on it. Raises
    `ValueError` for a knockout, which only `knockout` can tell from its results.
    """
    streams = {Format.ROUND_ROBIN: round_robin, Format.GAUNTLET: gauntlet}
    if segment.format not in streams:
        raise ValueError("the blocks of a knockout depend on its results: ask knockout() for them")
    blocks = streams[segment.format](segment.fields, seed=seed, segment=segment.number)
    return islice(blocks, segment.ended_after)


def round_robin(fields: Sequence[Field], *, seed: str, segment: int = 0) -> Iterator[Block]:
    """Yields the blocks of a round robin, groups in turn: whole passes over all tables, then a sample for the rest.

    Memory: a counter of pairs a group, whatever the length.
    """
    return _in_turn(fields, round_robin_tables, seed=seed, segment=segment)


def gauntlet(fields: Sequence[Field], *, seed: str, segment: int = 0) -> Iterator[Block]:
    """Yields the blocks of a gauntlet, groups in turn: one focus bot a table, in every seat against the field."""
    return _in_turn(fields, gauntlet_tables, seed=seed, segment=segment)


def _in_turn(
    fields: Sequence[Field], tables: Callable[..., Iterator[tuple[str, ...]]], *, seed: str, segment: int
) -> Iterator[Block]:
    streams = [_blocks(field, tables(field, seed=seed), segment) for field in fields]
    while streams:
        going = []
        for stream in streams:
            block = next(stream, None)
            if block is not None:
                yield block
                going.append(stream)
        streams = going


def _blocks(field: Field, tables: Iterator[tuple[str, ...]], segment: int) -> Iterator[Block]:
    followed: Counter[tuple[str, str]] = Counter()
    for number, table in enumerate(tables):
        yield Block(group=field.group, segment=segment, number=number, order=freshest_order(table, followed))
